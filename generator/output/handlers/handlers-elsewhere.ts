import { diagnosticOf, type Diagnostic } from "../../diagnostics/index.ts";
import type { EmitLayout } from "../../emit/emitter.ts";
import { exportsByName } from "./exported-name.ts";
import type { HandFiles } from "./hand-files.ts";
import type { HandlerPath } from "./handler-paths.ts";
import { namedImports } from "./imports-renamed.ts";
import { isStub } from "./stub-parts.ts";

/**
 * Bodies that are not called because their file was renamed or moved by hand: files that export a handler whose method
 * has nothing but a stub where it belongs.
 */
export function handlersElsewhere(
  handlerPaths: readonly HandlerPath[],
  files: HandFiles,
  { out }: EmitLayout,
): readonly Diagnostic[] {
  const moving = new Set(handlerPaths.map(({ from }) => from));
  return handlerPaths.flatMap(({ wanted, from, kind }): readonly Diagnostic[] => {
    const { method, parts, stub } = wanted;
    const bytes = files.get(from);
    if (kind === "elsewhere" || (bytes !== undefined && !isStub(bytes, stub.text))) return [];
    const holds = (path: string, text: string): boolean =>
      exportsByName(text, parts.export) &&
      namedImports(path, text).some(
        ({ module, names }) => module === `${out}/handlers.ts` && names.includes(parts.type),
      );
    return [...files].flatMap(([path, held]) => {
      const isOther = path !== stub.path && path.endsWith(".ts") && held.includes(parts.export);
      if (
        !isOther ||
        (moving.has(path) && isStubOf(handlerPaths, path, held)) ||
        !holds(path, held.toString())
      )
        return [];
      return [
        diagnosticOf("handler-elsewhere", { method, handlerPath: stub.path, name: parts.export }, { path }),
      ];
    });
  });
}

function isStubOf(handlerPaths: readonly HandlerPath[], path: string, bytes: Buffer): boolean {
  return handlerPaths.some(({ wanted }) => wanted.stub.path === path && isStub(bytes, wanted.stub.text));
}
