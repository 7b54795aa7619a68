import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The path of another engine's program, which is installed where it is missing. Engines have manifests of their own, so
 * that `npm ci` installs 530 MB less.
 */
export function enginePath(engine: "node20" | "node22" | "bun" | "deno", program: string = engine): string {
  const cwd = join(import.meta.dirname, "engines", engine);
  const path = join(cwd, "node_modules/.bin", program);
  if (!existsSync(path))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd, stdio: "inherit" });
  return path;
}
