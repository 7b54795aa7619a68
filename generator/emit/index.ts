import { readdirSync } from "node:fs";
import type { Emitter } from "./emitter.ts";

export type { EmitLayout, Emitter, FileDraft } from "./emitter.ts";

/** Every emitter there is, in name order: each folder beside this file is one. */
export async function loadEmitters(): Promise<readonly Emitter[]> {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  return await Promise.all(folders.map(loadEmitter));
}

async function loadEmitter(folder: string): Promise<Emitter> {
  const module: unknown = await import(`./${folder}/index.ts`);
  if (!isEmitterModule(module)) throw new Error(`generator/emit/${folder}/index.ts exports no emitter`);
  return module.emitter;
}

function isEmitterModule(module: unknown): module is { readonly emitter: Emitter } {
  if (typeof module !== "object" || module === null || !("emitter" in module)) return false;
  const { emitter } = module;
  return typeof emitter === "object" && emitter !== null && "emit" in emitter && "name" in emitter;
}
