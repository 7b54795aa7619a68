import type { Emitter } from "./emitter.ts";
import { emitterNames, importEmitter } from "./folders.ts";

export { emitterNames } from "./folders.ts";
export { onePerItem, sharedNames } from "./name-clashes.ts";
export type { EmitLayout, Emitter, FileDraft } from "./emitter.ts";

/** The emitters of these names; if none are given, every one in name order: each folder beside this file is one. */
export async function loadEmitters(names: readonly string[] = emitterNames()): Promise<readonly Emitter[]> {
  return await Promise.all(names.map(loadEmitter));
}

/** The emitters that targets name, and those that they need; all where no targets are named. */
export function wantedEmitters(
  emitters: readonly Emitter[],
  targets: readonly string[] | undefined,
): readonly Emitter[] {
  if (targets === undefined) return emitters;
  const wanted = new Set<string>();
  const want = (name: string): void => {
    if (wanted.has(name)) return;
    wanted.add(name);
    emitters.find((emitter) => emitter.name === name)?.needs?.forEach(want);
  };
  targets.forEach(want);
  return emitters.filter(({ name }) => wanted.has(name));
}

async function loadEmitter(folder: string): Promise<Emitter> {
  const module: unknown = await importEmitter(folder);
  if (!isEmitterModule(module)) throw new Error(`generator/targets/${folder}/index.ts exports no emitter`);
  return module.emitter;
}

function isEmitterModule(module: unknown): module is { readonly emitter: Emitter } {
  if (typeof module !== "object" || module === null || !("emitter" in module)) return false;
  const { emitter } = module;
  return typeof emitter === "object" && emitter !== null && "emit" in emitter && "name" in emitter;
}
