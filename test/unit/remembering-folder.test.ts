import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  digestOf,
  projectFolder,
  rememberingFolder,
  type ProjectFolder,
} from "../../generator/output/index.ts";

let root: string;
let reads: string[];
let counted: ProjectFolder;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "remembering-folder-"));
  reads = [];
  const disk = projectFolder(root);
  counted = {
    ...disk,
    read(path) {
      reads.push(path);
      return disk.read(path);
    },
  };
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
const later = (): number => Date.now() + 60_000;

test("a file that has not changed is read once", () => {
  const folder = rememberingFolder(counted, later);
  write("a.ts", "one");
  expect(folder.digest("a.ts")).toBe(digestOf("one"));
  expect(folder.digest("a.ts")).toBe(digestOf("one"));
  expect(folder.read("a.ts")).toBe(folder.read("a.ts"));
  expect(reads).toEqual(["a.ts"]);
});

test("a change is seen, of the same length too, and so is another file in its place", () => {
  const folder = rememberingFolder(counted, later);
  write("a.ts", "one");
  expect(folder.read("a.ts")?.toString()).toBe("one");
  write("b.ts", "two");
  renameSync(join(root, "b.ts"), join(root, "a.ts"));
  expect(folder.digest("a.ts")).toBe(digestOf("two"));
  expect(folder.read("a.ts")?.toString()).toBe("two");
  rmSync(join(root, "a.ts"));
  expect(folder.digest("a.ts")).toBeUndefined();
  expect(folder.read("a.ts")).toBeUndefined();
  write("a.ts", "three");
  expect(folder.read("a.ts")?.toString()).toBe("three");
});

test("what has changed a moment ago is read again: its times may not tell the next change", () => {
  const folder = rememberingFolder(counted);
  write("a.ts", "one");
  expect(folder.digest("a.ts")).toBe(digestOf("one"));
  expect(folder.digest("a.ts")).toBe(digestOf("one"));
  expect(reads).toEqual(["a.ts", "a.ts"]);
});

test("of a long file the digest is remembered, and not the bytes", () => {
  const folder = rememberingFolder(counted, later);
  const long = "long ".repeat(10_000);
  write("a.ts", long);
  expect(folder.digest("a.ts")).toBe(digestOf(long));
  expect(folder.read("a.ts")?.toString()).toBe(long);
  expect(folder.digest("a.ts")).toBe(digestOf(long));
  expect(reads).toEqual(["a.ts", "a.ts"]);
});

test("a folder in a file's place is an error each time", () => {
  const folder = rememberingFolder(projectFolder(join(root, "..")), later);
  const name = root.slice(root.lastIndexOf("/") + 1);
  expect(() => folder.digest(name)).toThrow();
  expect(() => folder.read(name)).toThrow();
});
