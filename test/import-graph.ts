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
  const found = textOf(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s*"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)/g,
  );
  return [...found].map(([, still, lazy]) => posix.normalize(posix.join(dirname(file), still ?? lazy ?? "")));
}

export function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
