import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packClient } from "./packed-project.ts";

function pack(...options: readonly string[]) {
  const { tarball, folder } = packClient(...options);
  return { tarball, read: (file: string) => readFileSync(join(folder, file), "utf8") };
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

  test("is the default where none is given: the package is private", () => {
    expect(JSON.parse(pack().read("package.json"))).toMatchObject({ name: "ledger-client", private: true });
    expect(() => pack("--name", "Not A Name")).toThrow("is no name of a package");
  });
});
