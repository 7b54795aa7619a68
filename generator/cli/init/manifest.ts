import { existsSync, readdirSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { generatorVersion, pinnedVersions } from "../generator-digest.ts";
import type { ProjectNames } from "./project-name.ts";
import { nodeMin, type TemplateManifest } from "./template.ts";

const runtime = "ledger-rpc-runtime";
const generator = "ledger-rpc";

/** Where a project gets this generator and its runtime from. */
export interface PackageSource {
  /** A folder of tarballs; absent: the registry that npm is set to. */
  readonly folder?: string;
  /** Names of the tarballs in it. */
  readonly files: readonly string[];
}

/** The tarballs of a folder, named from another; a string that says what is missing. */
export function packageSource(from: string | undefined, cwd: string): PackageSource | string {
  if (from === undefined) return { files: [] };
  const wanted = `--from names a folder with ${tarballsOf([generator, runtime])}`;
  // Nothing is fetched here: what answers 404 would be found out by `npm install` alone.
  if (/^[a-z][a-z+]+:\/\//i.test(from)) return `${from} is an address: ${wanted}: download them into one`;
  const folder = resolve(cwd, from);
  if (!existsSync(folder)) return `there is no folder ${from}: ${wanted}`;
  if (!statSync(folder).isDirectory()) return `${from} is a file: ${wanted}`;
  const files = readdirSync(folder);
  const missing = [generator, runtime].filter((name) => tarballOf(name, files) === undefined);
  if (missing.length === 0) return { folder, files };
  return `${from} has no ${tarballsOf(missing)}: --from names the folder of the tarballs of ${generator} ${generatorVersion()}`;
}

function tarballsOf(names: readonly string[]): string {
  return names.map((name) => `${name}-${generatorVersion()}.tgz`).join(" and ");
}

/** The project's `package.json`, each version pinned. */
export function packageJson(
  { name }: ProjectNames,
  template: TemplateManifest,
  source: PackageSource,
  project: string,
): string {
  const versions = pinnedVersions();
  const pinned = (packages: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      packages.toSorted().map((each) => [each, ownVersion(each, source, project) ?? versions[each] ?? "*"]),
    );
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: `>=${template.node ?? nodeMin}` },
    scripts: scriptsOf(template, name),
    dependencies: pinned([runtime, ...(template.dependencies ?? [])]),
    devDependencies: pinned([generator, "@types/node", "typescript", ...(template.devDependencies ?? [])]),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The project's scripts by name. */
export function scriptsOf({ scripts }: TemplateManifest, project: string): Readonly<Record<string, string>> {
  const all = {
    generate: "ledger-rpc generate",
    check: "ledger-rpc check && tsc",
    pretest: "node check-node.mjs",
    test: "node --test",
    prestart: "node check-node.mjs",
    start: "node --disable-sigusr1 src/server.ts",
    ...scripts,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, script]) =>
      script === null ? [] : [[name.replace("PROJECT_NAME", project), script]],
    ),
  );
}

/** How this generator or its runtime is named; undefined for packages of others. */
function ownVersion(name: string, { folder, files }: PackageSource, project: string): string | undefined {
  if (name !== runtime && name !== generator) return undefined;
  const tarball = tarballOf(name, files);
  if (folder === undefined || tarball === undefined) return generatorVersion();
  return `file:${relative(project, resolve(folder, tarball)).split(sep).join("/")}`;
}

function tarballOf(name: string, files: readonly string[]): string | undefined {
  return files.find((file) => file === `${name}-${generatorVersion()}.tgz`);
}
