import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lists what an earlier run wrote to a folder, so that nothing else is ever replaced or removed. */
const listFile = ".ledger-rpc-files.json";

/**
 * Writes what differs, and removes what an earlier run wrote and this one did not. Gives a file that is in the way.
 * `mode` is that of files that are made anew: 0o600 for what is secret.
 */
export function writeOwned(
  folder: string,
  files: ReadonlyMap<string, string>,
  mode = 0o666,
): string | undefined {
  const written = new Set(listed(folder));
  const foreign = [...files.keys()].find((path) => !written.has(path) && existsSync(join(folder, path)));
  if (foreign !== undefined) return join(folder, foreign);
  mkdirSync(folder, { recursive: true });
  // Before them, so that an interrupted run knows its own files.
  const all = [...new Set([...written, ...files.keys()])];
  writeFileSync(join(folder, listFile), JSON.stringify(all));
  for (const [path, text] of files) {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }
  for (const path of written) if (!files.has(path)) rmSync(join(folder, path), { force: true });
  writeFileSync(join(folder, listFile), JSON.stringify([...files.keys()]));
  return undefined;
}

/** Files of an earlier run. Nothing outside the folder, whatever the list says. */
function listed(folder: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(readFileSync(join(folder, listFile), "utf8"));
    return Array.isArray(list)
      ? list.filter((path) => typeof path === "string" && !/(^|[\\/])\.\.([\\/]|$)|^[\\/]/.test(path))
      : [];
  } catch {
    return [];
  }
}
