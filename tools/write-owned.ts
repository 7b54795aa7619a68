import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atPlace, checkInside, isBelow, makeFolder } from "../generator/output/inside.ts";

/** Lists what an earlier run wrote to a folder, so that nothing else is ever replaced or removed. */
const listFile = ".ledger-rpc-files.json";

/**
 * Writes what differs, and removes what an earlier run wrote and this one did not. Gives a file that is in the way.
 * `mode` is that of files that are made anew: 0o600 for what is secret.
 * @throws LeadsOutside where a link leads out of the project, or of a folder elsewhere that the command line names
 */
export function writeOwned(
  project: string,
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  mode = 0o666,
): string | undefined {
  const written = new Set(listOwned(folder));
  const foreign = [...files.keys()].find((path) => !written.has(path) && existsSync(join(folder, path)));
  if (foreign !== undefined) return join(folder, foreign);
  const root = isBelow(project, folder) ? project : folder;
  if (root === folder) mkdirSync(folder, { recursive: true });
  for (const path of [...files.keys(), ...written, listFile]) checkInside(root, join(folder, path));
  const write = (path: string, text: string | Uint8Array): void => {
    makeFolder(root, dirname(join(folder, path)));
    atPlace(root, join(folder, path), (place) => writeFileSync(place, text, { mode }));
  };
  // Before them, so that an interrupted run knows its own files.
  write(listFile, JSON.stringify([...new Set([...written, ...files.keys()])]));
  for (const [path, text] of files) {
    const file = join(folder, path);
    if (!existsSync(file) || !readFileSync(file).equals(typeof text === "string" ? Buffer.from(text) : text))
      write(path, text);
  }
  for (const path of written)
    if (!files.has(path) && existsSync(join(folder, path)))
      atPlace(root, join(folder, path), (place) => rmSync(place, { force: true }));
  write(listFile, JSON.stringify([...files.keys()]));
  return undefined;
}

/** Files of an earlier run. Nothing outside the folder, whatever the list says. */
export function listOwned(folder: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(readFileSync(join(folder, listFile), "utf8"));
    return Array.isArray(list)
      ? list.filter((path) => typeof path === "string" && !/(^|[\\/])\.\.([\\/]|$)|^[\\/]/.test(path))
      : [];
  } catch {
    return [];
  }
}
