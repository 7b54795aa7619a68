import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { runInNewContext } from "node:vm";

/** The files of a site, by path below its folder. */
export function filesOf(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Links of a site's pages and of its search that lead nowhere. */
export function brokenLinks(files: ReadonlyMap<string, string>): readonly string[] {
  const targets = new Set(files.keys());
  for (const [path, text] of files) {
    for (const [, id = ""] of text.matchAll(/ id="([^"]*)"/g)) targets.add(`${path}#${unescaped(id)}`);
  }
  return [...files].flatMap(([path, text]) =>
    linksIn(path, text).filter((link) => !targets.has(targetOf(path, link))),
  );
}

function linksIn(path: string, text: string): readonly string[] {
  if (path.endsWith("search-index.js")) return searchEntries(text).map(([, , href]) => `../${href}`);
  if (!path.endsWith(".html")) return [];
  // The service alone has pages to try: they are not of the folder, and the links to them are hidden elsewhere.
  const own = text.replace(/<details class="try" data-try hidden>.*?<\/details>/gs, "");
  return [...own.matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, link = ""]) =>
    // Guides lead to addresses, too.
    /^https?:/.test(link) ? [] : unescaped(link),
  );
}

function targetOf(path: string, link: string): string {
  const [file = "", id] = link.split("#");
  const target = file === "" ? path : posix.join(posix.dirname(path), file);
  return id === undefined ? target : `${target}#${decodeURIComponent(id)}`;
}

/** The entries that a search index gives to a page. */
export function searchEntries(text: string): readonly (readonly string[])[] {
  const page: { searchIndex?: readonly (readonly string[])[] } = {};
  runInNewContext(text, page);
  return page.searchIndex ?? [];
}

/** Where the search of the pages leads for a question, the best first. */
export function searchedIn(text: string, question: string): readonly string[] {
  const page = searching.get(text) ?? {};
  if (page.searchPages === undefined) runInNewContext(text, page);
  searching.set(text, page);
  return (page.searchPages?.(question) ?? []).map(([, , href = ""]) => href);
}

/** Pages that have built their index, by the script that does. */
const searching = new Map<string, { searchPages?: (question: string) => readonly (readonly string[])[] }>();

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#x60;": "`",
  "&#x3D;": "=",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#x27|#x60|#x3D);/g, (entity) => characters[entity] ?? entity);
}
