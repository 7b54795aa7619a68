import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { sourceText, type SourceText } from "../../generator/language/source/index.ts";
import type { ReadFolder } from "../../generator/model/index.ts";

/** Files of a project by path relative to its root, spec folder and all. */
export type ProjectFiles = ReadonlyMap<string, string>;

export const casesFolder = join(import.meta.dirname, "../cases/diagnostics");

/** Files of a folder by path within it. */
export function filesUnder(folder: string): ProjectFiles {
  const paths = globSync("**/*.yaml", { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")]));
}

/** The small valid spec that cases are laid over, in the folder `library`. */
export function baseProject(): ProjectFiles {
  return base;
}

const base = new Map(
  [...filesUnder(join(casesFolder, "base"))].map(([path, text]) => [`library/${path}`, text] as const),
);

/** Reads folders of files held in memory. */
export function readerOf(files: ProjectFiles): ReadFolder {
  const sources = new Map<string, SourceText>();
  for (const [path, text] of files) sources.set(path, sourceOf(path, text));
  return (folder) => {
    const inside = [...sources].filter(([path]) => path.startsWith(`${posix.normalize(folder)}/`));
    return inside.length === 0 ? undefined : inside.map(([, source]) => source);
  };
}

/** The last texts of each path: what is parsed and checked once need not be again, as in a watch. */
const known = new Map<string, readonly SourceText[]>();
const knownPerPath = 4;

function sourceOf(path: string, text: string): SourceText {
  const last = known.get(path) ?? [];
  const source = last.find((each) => each.text === text) ?? sourceText(path, text);
  known.set(path, [source, ...last.filter((each) => each !== source)].slice(0, knownPerPath));
  return source;
}
