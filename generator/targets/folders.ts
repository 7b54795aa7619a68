import { readdirSync } from "node:fs";

/** The names of all targets, in order: each folder beside this file. A package has this module as a list. */
export function emitterNames(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

/** The module of a folder. */
export async function importEmitter(folder: string): Promise<unknown> {
  return await import(`./${folder}/index.ts`);
}
