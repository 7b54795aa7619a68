import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackedProject, type PackedProject } from "../client/packed-project.ts";

const repository = join(import.meta.dirname, "../..");

/** The package as its publisher packs it. */
export function packConformance(): { readonly tarball: string; remove(): void } {
  const out = mkdtempSync(join(tmpdir(), "conformance-pack-"));
  const args = ["bin/pack.ts", "conformance", "ledger", "--out", out];
  const printed = execFileSync(process.execPath, args, { cwd: repository, encoding: "utf8" });
  return { tarball: printed.trim(), remove: () => rmSync(out, { recursive: true }) };
}

/** A folder of its own in which the package is installed with what it depends on, and vitest beside it. */
export function createConformanceProject(tarball: string): PackedProject {
  const own = mkdtempSync(join(tmpdir(), "dependencies-"));
  try {
    const needed = ["commander", "fast-check", "pure-rand"].map((name) =>
      join(repository, "node_modules", name),
    );
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", own, ...needed];
    const packed = execFileSync("npm", args, { cwd: own, encoding: "utf8" }).trim().split("\n");
    const project = createPackedProject(
      tarball,
      "module",
      packed.map((name) => join(own, name)),
    );
    symlinkSync(join(repository, "node_modules/vitest"), join(project.root, "node_modules/vitest"));
    return project;
  } finally {
    rmSync(own, { recursive: true });
  }
}
