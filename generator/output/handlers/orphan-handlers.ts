import type { EmitLayout } from "../../targets/emitter.ts";
import type { Manifest, OrphanEntry } from "../manifest.ts";
import type { RenderedFile } from "../render.ts";
import type { HandFiles } from "./hand-files.ts";
import type { HandlerPath } from "./handler-paths.ts";
import { namedImports } from "./imports-renamed.ts";

/** A handler file whose method is not in the spec. */
export interface OrphanHandler {
  readonly path: string;
  /** The generated content of the file, where that is known. */
  readonly entry: OrphanEntry | undefined;
}

/**
 * Handler files whose method is not in the spec. They are in the last manifest, or import a missing handler type. A
 * file is reported until it is gone.
 */
export function orphanHandlers({
  files,
  layout,
  rendered,
  written,
  orphaned,
  handlerPaths,
  textNow,
}: {
  readonly files: HandFiles;
  readonly layout: EmitLayout;
  readonly rendered: readonly RenderedFile[];
  readonly written: Manifest["handlers"];
  readonly orphaned: readonly OrphanEntry[];
  readonly handlerPaths: readonly HandlerPath[];
  /** The text that this run gives a file; `undefined` where it writes none. */
  readonly textNow: (path: string) => string | undefined;
}): readonly OrphanHandler[] {
  const movedAway = handlerPaths.filter(({ kind }) => kind === "elsewhere").map(({ from }) => from);
  const wanted = new Set([...rendered.map(({ path }) => path), ...movedAway]);
  const ofLastRun = Object.entries(written).map(([method, entry]): OrphanEntry => ({ ...entry, method }));
  const known = new Map(
    [...orphaned, ...ofLastRun].map((entry) => [`${layout.handlers}/${entry.file}`, entry]),
  );
  const typesModule = `${layout.out}/handlers.ts`;
  const types = rendered.find(({ path }) => path === typesModule)?.text ?? "";
  const bytesNow = (path: string, bytes: Buffer): Buffer => {
    const text = textNow(path);
    return text === undefined ? bytes : Buffer.from(text);
  };
  return [...files]
    .filter(([path]) => path.endsWith(".ts") && !wanted.has(path))
    .filter(
      ([path, bytes]) =>
        known.has(path) || importsMissingType(path, bytesNow(path, bytes), typesModule, types),
    )
    .map(([path]) => ({ path, entry: known.get(path) }));
}

function importsMissingType(path: string, bytes: Buffer, typesModule: string, types: string): boolean {
  return namedImports(path, bytes)
    .filter(({ module }) => module === typesModule)
    .some(({ names }) => names.some((name) => name.endsWith("Handler") && !declares(types, name)));
}

function declares(types: string, name: string): boolean {
  return types.includes(`export type ${name}<`) || types.includes(`export interface ${name}<`);
}
