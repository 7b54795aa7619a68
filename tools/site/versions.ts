import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fillPage } from "../../generator/print/html-template.ts";
import { copyTemplate } from "../../generator/print/template.ts";
import { listOwned, writeOwned } from "../write-owned.ts";

const newestFirst = new Intl.Collator("en", { numeric: true });

/**
 * Writes what leads from revision to revision: `index.html` opens the newest, and `versions.js` gives every page of
 * every revision links to the others. The revisions are the folders that `docs --versions` made, today or earlier.
 * Gives a file that is in the way.
 */
export function writeVersions(project: string, site: string, title: string): string | undefined {
  const revisions = readdirSync(site, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+\.\d+\.\d+$/.test(entry.name))
    .map(({ name }) => [name, listOwned(join(site, name)).filter((path) => path.endsWith(".html"))] as const)
    .filter(([name]) => existsSync(join(site, name, "index.html")))
    .toSorted(([one], [other]) => newestFirst.compare(other, one));
  const [newest = ["", []]] = revisions;
  const script = `window.revisions = ${JSON.stringify(revisions)};\n${copyTemplate("reference/assets/versions.js")}`;
  const files = { "index.html": fillPage("versions", { title, revision: newest[0] }), "versions.js": script };
  return writeOwned(project, site, new Map(Object.entries(files)));
}
