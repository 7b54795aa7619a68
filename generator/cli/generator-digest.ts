import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../output/folder.ts";

const packageRoot = join(import.meta.dirname, "../..");

/** The version that generated files may depend on. */
export function generatorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageJson(), "utf8"));
  const isPackage = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isPackage && typeof manifest.version === "string" ? manifest.version : "0.0.0";
}

/** The versions of other packages that this generator was tested with, by name. */
export function pinnedVersions(): Readonly<Record<string, string>> {
  const manifest: Pinned = JSON.parse(readFileSync(packageJson(), "utf8"));
  return { ...manifest.devDependencies, ...manifest.dependencies, ...manifest.projectVersions };
}

interface Pinned {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** In the package: what a new project needs and the generator does not. */
  readonly projectVersions?: Readonly<Record<string, string>>;
}

/** Digest of everything that decides what a spec becomes: this code, its templates, and the versions it relies on. */
export function generatorDigest(): string {
  known ??= computedDigest();
  return known;
}

/** The digest of the modules that the process started with. */
let known: string | undefined;

/** The folders that the digest covers. `bundle` and `copied` exist only in packages; built pages contain style sheets of `web/shared`. */
export const generatorFolders: readonly string[] = [
  "bundle",
  "conformance",
  "copied",
  "generator",
  "spec/schema",
  "templates",
  "tools",
  "web/shared",
];

function computedDigest(): string {
  const digest = createHash("sha256");
  const folder = projectFolder(packageRoot);
  const sources = generatorFolders.flatMap((path) => folder.list(path));
  for (const path of [...sources, "package.json", "package-lock.json"]) {
    const bytes = folder.read(path);
    if (bytes !== undefined) digest.update(`\n${path}\n`).update(bytes);
  }
  return digest.digest("hex");
}

/** Beside the sources in a clone, one level up from the compiled code in a package. */
function packageJson(): string {
  const own = join(packageRoot, "package.json");
  return existsSync(own) ? own : join(packageRoot, "../package.json");
}
