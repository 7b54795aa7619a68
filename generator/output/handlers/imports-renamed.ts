import { oncePer } from "../../language/source/once-per.ts";
import { textOfFile } from "./hand-files.ts";
import { modulePath } from "./import-splices.ts";
import type { Renames } from "./renames.ts";

const relativeModule = /["'`](\.\.?\/[^"'`\n]+)["'`]/g;
const namedImport =
  /\b(?:import|export)\s+(?:type\s+)?(?:[\p{ID_Continue}$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["'](\.\.?\/[^"'\n]+)["']/gu;

/** Whether a file may name something that has another name or place now: then it is worth parsing. */
export function importsRenamed(path: string, bytes: Buffer, renames: Renames): boolean {
  for (const specifier of relativeModulesIn(bytes))
    if (renames.placeOf(modulePath(path, specifier)) !== undefined) return true;
  for (const { module, names } of [...namedImports(path, bytes), ...namespaceUses(path, bytes)])
    if (names.some((name) => renames.nameOf(module, name) !== undefined)) return true;
  return false;
}

const relativeModulesIn = oncePer((bytes: Buffer) =>
  [...textOfFile(bytes).matchAll(relativeModule)].map(([, specifier = ""]) => specifier),
);

/** The imports by name from relative modules, as far as can be found without parsing. */
export function namedImports(
  path: string,
  bytes: Buffer,
): readonly { readonly module: string; readonly names: readonly string[] }[] {
  return importsIn(bytes).map(({ specifier, names }) => ({ module: modulePath(path, specifier), names }));
}

const namespaceImport = /\*\s*as\s+([\p{ID_Continue}$]+)\s+from\s*["'](\.\.?\/[^"'\n]+)["']/gu;
const importType = /\bimport\(\s*["'](\.\.?\/[^"'\n]+)["']\s*\)\s*\.\s*([\p{ID_Continue}$]+)/gu;

/** What a file names behind a module: `handlers.GetAccountHandler`, `import("./types.ts").Account`. */
function namespaceUses(path: string, bytes: Buffer): ReturnType<typeof namedImports> {
  const text = textOfFile(bytes);
  const uses = [...text.matchAll(importType)].map(([, specifier = "", name = ""]) => ({
    module: modulePath(path, specifier),
    names: [name],
  }));
  for (const [, namespace = "", specifier = ""] of text.matchAll(namespaceImport)) {
    const escaped = namespace.replaceAll("$", String.raw`\$`);
    const use = new RegExp(`(?<![\\p{ID_Continue}$.])${escaped}\\s*\\.\\s*([\\p{ID_Continue}$]+)`, "gu");
    uses.push({
      module: modulePath(path, specifier),
      names: [...text.matchAll(use)].map(([, name = ""]) => name),
    });
  }
  return uses;
}

const importsIn = oncePer((bytes: Buffer) =>
  [...textOfFile(bytes).matchAll(namedImport)].map(([, clauses = "", specifier = ""]) => ({
    specifier,
    names: clauses
      .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "")
      .split(",")
      .map((clause) => /^(?:type\s+)?([\p{ID_Continue}$]+)/u.exec(clause.trim())?.[1] ?? ""),
  })),
);
