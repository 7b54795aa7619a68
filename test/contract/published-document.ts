import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../docs/interface");
const byRevision = new Intl.Collator("en", { numeric: true });

/** The interface document of the newest revision that was published. */
export function publishedDocument(): string {
  const newest = globSync("ledger-*.md", { cwd: folder }).toSorted(byRevision.compare).at(-1);
  if (newest === undefined) throw new Error(`no document in ${folder}`);
  return readFileSync(join(folder, newest), "utf8");
}
