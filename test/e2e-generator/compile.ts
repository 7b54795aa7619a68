import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "./project.ts";

/**
 * The compiler's messages about a project's TypeScript under the repository's settings (NodeNext, strict and
 * stricter), or with others instead of `allowJs`; empty without messages.
 */
export async function compileErrors(
  root: string,
  include: readonly string[],
  compilerOptions: Readonly<Record<string, unknown>> = { allowJs: true, checkJs: false },
): Promise<string> {
  const config = { extends: join(repository, "tsconfig.json"), include, exclude: [], compilerOptions };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(config));
  try {
    await promisify(execFile)(
      process.execPath,
      [join(repository, "node_modules/typescript/bin/tsc"), "-p", root],
      { cwd: root },
    );
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
