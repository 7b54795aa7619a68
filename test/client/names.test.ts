import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const out = mkdtempSync(join(tmpdir(), "client-names-"));
afterAll(() => rmSync(out, { recursive: true }));

function pack(...args: readonly string[]): {
  readonly tarball: string;
  readonly read: (file: string) => string;
} {
  const command = ["bin/pack.ts", "client", "ledger", "--out", out, ...args];
  const tarball = execFileSync(process.execPath, command, {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
  return { tarball, read: (file) => readFileSync(join(out, "ledger-client", file), "utf8") };
}

describe("a package's name", () => {
  test("is the publisher's own, on its pages too", () => {
    const { tarball, read } = pack("--scope", "@my-bank", "--version", "2.0.0");
    expect(tarball).toMatch(/my-bank-ledger-client-2\.0\.0\.tgz$/);
    expect(JSON.parse(read("package.json"))).toMatchObject({
      name: "@my-bank/ledger-client",
      version: "2.0.0",
    });
    expect(read("package.json")).not.toContain('"private"');
    expect(read("README.md")).toContain('from "@my-bank/ledger-client/testing"');
    expect(read("README.md")).not.toMatch(/(?<![/-])ledger-client/);
  });

  test("is nobody's where none is given: such a package cannot be published", () => {
    expect(JSON.parse(pack().read("package.json"))).toMatchObject({ name: "ledger-client", private: true });
    expect(() => pack("--name", "Not A Name")).toThrow("is no name of a package");
  });
});

test("no document has an install line for a name that is not ours, or names a registry", () => {
  const pages = ["*.md", "docs/**/*.md", "generated/*/{client,conformance}/*.md", "templates/**/*.hbs"];
  const files = globSync(pages, { cwd: repository });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(repository, file), "utf8");
    expect(text, file).not.toMatch(/npmjs|registry\.npm|(?:yarn|pnpm|bun) add /);
    for (const [line, command = ""] of text.matchAll(/\b(?:npm (?:install|i|exec)|npx) ([^\n`]*)/g)) {
      const args = command.split(" ").filter((arg) => !/^--(?:yes|offline)$/.test(arg));
      const isFile = /^(?:--package )?\.\/\S+\.tgz\b/.test(args.join(" "));
      const isInstalled = /^(?:vitest|vite|tsc|oxlint|prettier)\b/.test(args[0] ?? "");
      expect(isFile || isInstalled, `${file}: ${line}`).toBe(true);
    }
  }
});
