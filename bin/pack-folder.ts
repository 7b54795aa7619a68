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
  more: object = {},
): Promise<void> {
  for (const file of documents) {
    const text = readFileSync(join(source, file), "utf8");
    writeFileSync(join(folder, file), await format(text, { parser: "markdown", printWidth: 88 }));
  }
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const { license } = readManifest(root);
  const manifest = { ...readManifest(source), license, ...more };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The `package.json` of a folder. */
export function readManifest(folder: string): {
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
