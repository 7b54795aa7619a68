import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FileDraft } from "../../generator/targets/emitter.ts";

const repository = join(import.meta.dirname, "../..");

export interface Project {
  readonly root: string;
  remove(): Promise<void>;
}

/** A folder that holds the drafts and the real contract, and compiles like this project. */
export async function createProject(drafts: readonly Pick<FileDraft, "path" | "text">[]): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), "emitted-"));
  for (const { path, text } of drafts) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const folder of ["runtime", "node_modules"]) {
    await symlink(join(repository, folder), join(root, folder));
  }
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  return { root, remove: () => rm(root, { recursive: true }) };
}

/** What the compiler complains about under the project's own options, or others in their place; empty if nothing. */
export async function compile(
  root: string,
  include: readonly string[],
  compilerOptions: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const config = { extends: join(repository, "tsconfig.json"), include, exclude: [], compilerOptions };
  await writeFile(join(root, "tsconfig.json"), JSON.stringify(config));
  try {
    const tsc = join(repository, "node_modules/.bin/tsc");
    await promisify(execFile)(tsc, ["-p", root, "--preserveSymlinks", "--checkers", "1"]);
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
