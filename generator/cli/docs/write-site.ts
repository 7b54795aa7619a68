import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lists what an earlier run wrote to a site, so that nothing else is ever replaced or removed. */
const listFile = ".ledger-rpc-docs.json";

/** Writes what differs, and removes what an earlier run wrote and this one did not. Gives a file that is in the way. */
export function writeSite(site: string, pages: ReadonlyMap<string, string>): string | undefined {
  const written = new Set(listed(site));
  const foreign = [...pages.keys()].find((path) => !written.has(path) && existsSync(join(site, path)));
  if (foreign !== undefined) return join(site, foreign);
  mkdirSync(site, { recursive: true });
  // Before the pages, so that an interrupted run knows its own files.
  const all = [...new Set([...written, ...pages.keys()])];
  writeFileSync(join(site, listFile), JSON.stringify(all));
  for (const [path, text] of pages) {
    const file = join(site, path);
    if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const path of written) if (!pages.has(path)) rmSync(join(site, path), { force: true });
  writeFileSync(join(site, listFile), JSON.stringify([...pages.keys()]));
  return undefined;
}

/** What an earlier run wrote. Nothing outside the site, whatever the list says. */
function listed(site: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(readFileSync(join(site, listFile), "utf8"));
    return Array.isArray(list)
      ? list.filter((path) => typeof path === "string" && !/(^|[\\/])\.\.([\\/]|$)|^[\\/]/.test(path))
      : [];
  } catch {
    return [];
  }
}
