import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";

export const root = join(import.meta.dirname, "..");

/** Packs a folder that is a package; gives the path of the tarball, which is beside it. */
export function packed(folder: string): string {
  const printed = execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", "..", folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const [{ filename = "" } = {}]: { readonly filename?: string }[] = JSON.parse(printed);
  return join(folder, "..", filename);
}

/** Front page, changelog, licence and description of a package, from where they were generated. */
export async function addDocuments(
  source: string,
  folder: string,
  documents: readonly string[],
  {
    name,
    ...more
  }: { readonly name?: string | undefined; readonly version?: string; readonly dependencies?: object } = {},
): Promise<void> {
  const generated = readManifest(source);
  const { license } = readManifest(root);
  for (const file of documents) {
    const text = readFileSync(join(source, file), "utf8");
    const named = name === undefined ? text : renamed(text, generated, name);
    writeFileSync(join(folder, file), await format(named, { parser: "markdown", printWidth: 88 }));
  }
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  // Without a name of the publisher's own it is for installing from its file: nobody else's package is to be replaced.
  const identity = name === undefined ? { private: true } : { name };
  const manifest = { ...generated, license, ...more, ...identity };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Options that name a package: `--name` the whole name, or `--scope` what stands before the interface's. */
export const nameOptions = { name: { type: "string" }, scope: { type: "string" } } as const;

/** The name that a publisher gives a package; undefined for none. Throws for what npm does not take. */
export function publishedName(
  own: string,
  { name, scope }: { readonly name?: string | undefined; readonly scope?: string | undefined },
): string | undefined {
  const given = name ?? (scope === undefined ? undefined : `@${scope.replace(/^@/, "")}/${own}`);
  if (given !== undefined && !/^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/.test(given)) {
    throw new Error(`${given} is no name of a package: give --name or --scope in lower case`);
  }
  return given;
}

/** A document with another name of the package: in its text, its imports and the names of its files. */
function renamed(text: string, { name: own = "" }: { readonly name?: string }, name: string): string {
  const file = name.replace(/^@/, "").replace("/", "-");
  return text
    .replaceAll(`./${own}-`, `./${file}-`)
    .replaceAll(new RegExp(`(?<![\\w/-])${own}(?![\\w-])`, "g"), name);
}

/** The `package.json` of a folder. */
export function readManifest(folder: string): {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Runs the compiler with a configuration of its own. */
export function compile(outDir: string, compilerOptions: object, include: readonly string[]): void {
  const config = join(outDir, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, outDir }, include }));
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
  } finally {
    rmSync(config);
  }
}
