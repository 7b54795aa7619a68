const urlOf = (path: string): string => new URL(path, import.meta.url).href;

/** What `runtime/server` gets in place of a module of the engine: addresses of seams by those of the modules. */
export const seams: ReadonlyMap<string, string> = new Map([
  [urlOf("../../runtime/pipeline/index.ts"), urlOf("pipeline-seam.ts")],
  [urlOf("../../runtime/events/index.ts"), urlOf("delivery-seam.ts")],
]);
