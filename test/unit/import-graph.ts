import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Which file imports which, by their paths in the repository; a re-export is an import. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The imports of every TypeScript file of some folders. */
export function importGraph(folders: readonly string[]): ImportGraph {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return new Map(
    files.map((file) => [file.replaceAll("\\", "/"), importedFiles(file.replaceAll("\\", "/"))]),
  );
}

export function importedFiles(file: string): readonly string[] {
  const found = textOf(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s*"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)/g,
  );
  return [...found].map(([, still, lazy]) => posix.normalize(posix.join(dirname(file), still ?? lazy ?? "")));
}

export function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Circles of files. */
export function circlesOfFiles(graph: ImportGraph): readonly string[] {
  return circlesOf([...graph.keys()], (file) => graph.get(file) ?? []);
}

/** Circles of the entries of each folder, subfolders taken as a whole. */
export function circlesOfFolders(graph: ImportGraph): readonly string[] {
  const folders = new Set([...graph.keys()].flatMap(foldersOf));
  return [...folders].flatMap((folder) => circlesInside(folder, graph));
}

/** The folders that a file lies in, outermost first. */
function foldersOf(file: string): readonly string[] {
  const names = file.split("/").slice(0, -1);
  return names.map((_name, at) => names.slice(0, at + 1).join("/"));
}

function circlesInside(folder: string, graph: ImportGraph): readonly string[] {
  const entryOf = (file: string): string | undefined =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined;
  const entries = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const entry = entryOf(file);
    if (entry === undefined) continue;
    const others = entries.get(entry) ?? new Set();
    for (const imported of imports) {
      const other = entryOf(imported);
      if (other !== undefined && other !== entry) others.add(other);
    }
    entries.set(entry, others);
  }
  return circlesOf([...entries.keys()], (entry) => [...(entries.get(entry) ?? [])]).map(
    (circle) => `${folder}: ${circle}`,
  );
}

function circlesOf(
  all: readonly string[],
  importedBy: (one: string) => readonly string[],
): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (one: string, path: readonly string[]): void => {
    const at = path.indexOf(one);
    if (at >= 0) {
      found.push([...path.slice(at), one].join(" → "));
      return;
    }
    if (done.has(one)) return;
    for (const imported of importedBy(one)) visit(imported, [...path, one]);
    done.add(one);
  };
  for (const one of all) visit(one, []);
  return found;
}
