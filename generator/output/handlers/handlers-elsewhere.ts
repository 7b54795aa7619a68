import { diagnosticOf, type Diagnostic } from "../../language/diagnostics/index.ts";
import type { EmitLayout } from "../../targets/emitter.ts";
import { exportsByName } from "./exported-name.ts";
import type { HandFiles } from "./hand-files.ts";
import type { HandlerPath } from "./handler-paths.ts";
import { namedImports } from "./imports-renamed.ts";
import { isStub } from "./stub-parts.ts";

/**
 * Bodies that are not called because their file was renamed or moved by hand. Such a file exports a handler whose
 * method has only a stub in its place.
 */
export function handlersElsewhere(
  handlerPaths: readonly HandlerPath[],
  files: HandFiles,
  { out }: EmitLayout,
): readonly Diagnostic[] {
  const moving = new Set(handlerPaths.map(({ from }) => from));
  const importers = importersByType(files, `${out}/handlers.ts`);
  return handlerPaths.flatMap(({ wanted, from, kind }): readonly Diagnostic[] => {
    const { method, parts, stub } = wanted;
    const bytes = files.get(from);
    if (kind === "elsewhere" || (bytes !== undefined && !isStub(bytes, stub.text))) return [];
    return (importers.get(parts.type) ?? []).flatMap(([path, held]) => {
      if (path === stub.path || !exportsByName(held, parts.export)) return [];
      if (moving.has(path) && isStubOf(handlerPaths, path, held)) return [];
      return [
        diagnosticOf("handler-elsewhere", { method, handlerPath: stub.path, name: parts.export }, { path }),
      ];
    });
  });
}

/** The files that import a type from a module by its name. */
function importersByType(
  files: HandFiles,
  handlersModule: string,
): ReadonlyMap<string, readonly (readonly [string, Buffer])[]> {
  const importers = new Map<string, (readonly [string, Buffer])[]>();
  for (const [path, bytes] of files) {
    if (!/\.[cm]?tsx?$/.test(path)) continue;
    const imports = namedImports(path, bytes).filter(({ module }) => module === handlersModule);
    for (const name of new Set(imports.flatMap(({ names }) => names)))
      importers.set(name, [...(importers.get(name) ?? []), [path, bytes]]);
  }
  return importers;
}

function isStubOf(handlerPaths: readonly HandlerPath[], path: string, bytes: Buffer): boolean {
  return handlerPaths.some(({ wanted }) => wanted.stub.path === path && isStub(bytes, wanted.stub.text));
}
