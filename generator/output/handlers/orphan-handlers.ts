import { posix } from "node:path";
import type { Diagnostic } from "../../diagnostics/index.ts";
import type { EmitLayout } from "../../emit/emitter.ts";
import { outputDiagnostic } from "../catalogue.ts";
import type { ProjectFolder } from "../folder.ts";
import type { Manifest } from "../manifest.ts";
import type { RenderedFile } from "../render.ts";

/**
 * Handler files whose method is not in the spec: those the last manifest lists and no method wants now, and those
 * that import a handler type which does not exist. So a file is reported until it is gone, not only once.
 */
export function orphanHandlers(
  folder: ProjectFolder,
  layout: EmitLayout,
  rendered: readonly RenderedFile[],
  written: Manifest["handlers"],
  movedAway: readonly string[],
): readonly Diagnostic[] {
  const wanted = new Set([...rendered.map(({ path }) => path), ...movedAway]);
  const methods = new Map(
    Object.entries(written).map(([method, { file }]) => [`${layout.handlers}/${file}`, method]),
  );
  const typesModule = `${layout.out}/handlers.ts`;
  const types = rendered.find(({ path }) => path === typesModule)?.text ?? "";
  return folder
    .list(layout.handlers)
    .filter((path) => path.endsWith(".ts") && !wanted.has(path))
    .filter((path) => methods.has(path) || importsMissingType(folder, path, typesModule, types))
    .map((path) => outputDiagnostic("orphan-handler", { method: methods.get(path) }, path));
}

const typeImport = /\bimport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;

function importsMissingType(
  folder: ProjectFolder,
  path: string,
  typesModule: string,
  types: string,
): boolean {
  const text = folder.read(path)?.toString() ?? "";
  for (const [, clauses = "", specifier = ""] of text.matchAll(typeImport)) {
    const imported = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
    if (imported !== typesModule) continue;
    const names = clauses.split(",").map(
      (clause) =>
        clause
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s/)[0] ?? "",
    );
    if (names.some((name) => name.endsWith("Handler") && !declares(types, name))) return true;
  }
  return false;
}

function declares(types: string, name: string): boolean {
  return types.includes(`export type ${name}<`) || types.includes(`export interface ${name}<`);
}
