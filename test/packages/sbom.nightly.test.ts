import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("a package and its bill of materials are the same bytes in each run; the bill names what is installed", () => {
  const out = mkdtempSync(join(tmpdir(), "sbom-"));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const packed = (name: string): readonly Buffer[] => {
    const args = ["bin/pack.ts", "runtime", "--sbom", "--out", join(out, name)];
    const printed = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    return printed
      .trim()
      .split("\n")
      .map((file) => readFileSync(file));
  };
  const [tarball = Buffer.alloc(0), bill = Buffer.alloc(0)] = packed("one");
  expect(packed("two").map((bytes, at) => bytes.equals([tarball, bill][at] ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
  ]);
  const { metadata, components } = JSON.parse(bill.toString());
  expect(metadata.component.hashes[0].content).toBe(createHash("sha512").update(tarball).digest("hex"));
  const names = components.map(({ name }: { readonly name: string }) => name);
  // Its own packages, what these need, and none of the tools.
  expect(names).toEqual(expect.arrayContaining(["structured-headers", "ws", "undici-types"]));
  expect(names).not.toContain("vitest");
});
