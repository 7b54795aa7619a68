import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

export const root = join(import.meta.dirname, "..");

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
  const text = textOf(file);
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s*"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)/g,
  );
  const named = [...found].map(([, still, lazy]) => posix.join(dirname(file), still ?? lazy ?? ""));
  // The modules of all protocols' folders.
  const discovered = [...text.matchAll(/await modulesOf\("(\w+)"\)/g)].flatMap(([, part]) =>
    globSync(`${dirname(file)}/*/${part}.ts`, { cwd: root }).map((path) => path.replaceAll("\\", "/")),
  );
  return [...named.map((path) => posix.normalize(path)), ...discovered];
}

export function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
