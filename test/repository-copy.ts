import { cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "..");

/** Copies the repository into a new folder, which shares the installed packages and what is known of types. Returns the folder. */
export function copyRepository(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const left = new Set(
    ["node_modules", ".git", ".data", ".cache", "dist"].map((name) => join(repository, name)),
  );
  cpSync(repository, folder, {
    recursive: true,
    filter: (path) => !left.has(path) && !path.includes("test/client/engines/"),
  });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const types = ".cache/types.tsbuildinfo";
  if (existsSync(join(repository, types))) cpSync(join(repository, types), join(folder, types));
  return folder;
}
