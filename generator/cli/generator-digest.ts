import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const packageRoot = join(import.meta.dirname, "../..");

/** The version that generated files may depend on. */
export function generatorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageJson(), "utf8"));
  const isPackage = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isPackage && typeof manifest.version === "string" ? manifest.version : "0.0.0";
}

/** Digest of everything that decides what a spec becomes: this code, its templates, and the versions it relies on. */
export function generatorDigest(): string {
  const digest = createHash("sha256");
  for (const path of [
    ...filesBelow("generator"),
    ...filesBelow("templates"),
    ...filesBelow("spec/schema"),
    "package.json",
    "package-lock.json",
  ]) {
    const file = join(packageRoot, path);
    if (existsSync(file)) digest.update(`\n${path}\n`).update(readFileSync(file));
  }
  return digest.digest("hex");
}

/** Beside the sources in a clone, one level up from the compiled code in a package. */
function packageJson(): string {
  const own = join(packageRoot, "package.json");
  return existsSync(own) ? own : join(packageRoot, "../package.json");
}

function filesBelow(folder: string): readonly string[] {
  const root = join(packageRoot, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .toSorted();
}
