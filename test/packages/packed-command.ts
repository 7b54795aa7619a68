import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export const repository = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** A package in an otherwise empty folder, where it finds the packages of its manifest and no others. */
export interface PackedCommand {
  readonly root: string;
  readonly manifest: {
    readonly name: string;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  /** Paths of all files of the tarball, relative to the package. */
  readonly files: readonly string[];
  /** Runs a command of the package through `npx`, in the folder; gives its output, and rejects where it fails. */
  npx(...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** Packs a package and installs its tarball without the network. */
export async function installPacked(...args: readonly string[]): Promise<PackedCommand> {
  const root = mkdtempSync(join(tmpdir(), "ledger-packed-"));
  const command = ["bin/pack.ts", ...args, "--out", join(root, "dist")];
  const { stdout } = await run(process.execPath, command, { cwd: repository });
  const tarball = stdout.trim();
  const { stdout: listed } = await run("tar", ["-tzf", tarball]);
  await run("tar", ["-xzf", tarball, "-C", root]);
  const manifest = JSON.parse(await readFile(join(root, "package/package.json"), "utf8"));
  const folder = join(root, "node_modules", manifest.name);
  mkdirSync(dirname(folder), { recursive: true });
  const files = listed
    .trim()
    .split("\n")
    .map((path) => path.replace("package/", ""));
  const absent = unpackedImports(join(root, "package"), files);
  if (absent.length > 0) throw new Error(`${tarball} lacks what its modules import: ${absent.join(", ")}`);
  await run("mv", [join(root, "package"), folder]);
  rmSync(join(root, "dist"), { recursive: true });
  const { bin = {}, dependencies = {} } = manifest;
  for (const name of Object.keys(dependencies)) link(join(repository, "node_modules", name), root, name);
  for (const [name, file] of Object.entries<string>(bin)) link(join(folder, file), root, `.bin/${name}`);
  return {
    root,
    manifest,
    files,
    npx: async (...words) => {
      const { stdout: printed } = await run("npx", ["--no", "--", ...words], { cwd: root });
      return printed;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What modules of a package import of it that is not packed. */
function unpackedImports(folder: string, files: readonly string[]): readonly string[] {
  const packed = new Set(files);
  const modules = files.filter((path) => path.endsWith(".js"));
  const imported = modules.flatMap((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    const relative = text.matchAll(
      /^(?:import|export)\b[^"';]*? ?"(\.[^"]+\.js)";$|\bimport\("(\.[^"]+\.js)"\)/gm,
    );
    return [...relative].map(([, whole, part = ""]) => join(dirname(path), whole ?? part));
  });
  return [...new Set(imported)].filter((path) => !packed.has(path)).toSorted();
}

function link(target: string, root: string, name: string): void {
  const path = join(root, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
