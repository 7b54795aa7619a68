import { posix } from "node:path";
import type { ModuleReference, ReferredName } from "./module-references.ts";
import type { WrittenName } from "./parse-module.ts";
import type { Renames } from "./renames.ts";
import type { Splice } from "./splice.ts";
import { isWithin, type TextRange } from "./text-range.ts";

/** A file whose imports are to be right again. */
export interface ImportingFile {
  /** Where it was and where it is going to be. */
  readonly from: string;
  readonly to: string;
  readonly references: readonly ModuleReference[];
  readonly names: readonly WrittenName[];
  /** The author's text, which must not change; absent where only the imports may change. */
  readonly body?: TextRange;
  /** Where the handler is declared as what it is: the type there is ours. */
  readonly annotation?: TextRange;
}

/** The changes of imports, and what in the body would have to change and must not. */
export interface ImportSplices {
  readonly splices: readonly Splice[];
  readonly stranded: readonly string[];
}

/** Imports by the present names and places of what they import. */
export function importSplices(file: ImportingFile, renames: Renames): ImportSplices {
  const splices: Splice[] = [];
  const stranded: string[] = [];
  for (const { specifier, names } of file.references) {
    const module = modulePath(file.from, specifier.text);
    const replacement = newSpecifier(file, specifier.text, renames.placeOf(module));
    const isOurs = file.body === undefined || !isWithin(specifier, file.body);
    if (replacement !== specifier.text) {
      if (isOurs) splices.push({ start: specifier.start, end: specifier.end, replacement });
      else stranded.push(specifier.text);
    }
    for (const name of names) {
      if (!isOfAuthor(name, file)) splices.push(...nameSplices(file, name, module, renames));
      else if (renames.nameOf(module, name.imported.text) !== undefined) stranded.push(name.imported.text);
    }
  }
  return { splices, stranded };
}

/** The path of the file that a relative specifier means. */
export function modulePath(importer: string, specifier: string): string {
  return posix.join(posix.dirname(importer), specifier).replace(/\.([mc]?)js$/, ".$1ts");
}

function newSpecifier(
  { from, to }: Pick<ImportingFile, "from" | "to">,
  text: string,
  place: string | undefined,
): string {
  const [fromFolder, toFolder] = [posix.dirname(from), posix.dirname(to)];
  if (place === undefined && fromFolder === toFolder) return text;
  const ending = /\.[mc]?js$/.exec(text)?.[0];
  const target =
    place === undefined ? posix.join(fromFolder, text) : place.replace(/\.[mc]?ts$/, (own) => ending ?? own);
  const path = posix.relative(toFolder, target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Whether a name stands in code that must not change: in a body, or anywhere in a file that is no method's. */
function isOfAuthor({ isMember, imported }: ReferredName, { body }: ImportingFile): boolean {
  return isMember === true && (body === undefined || isWithin(imported, body));
}

function nameSplices(
  { names, annotation }: ImportingFile,
  { imported, local, isAlias, isExport }: ReferredName,
  module: string,
  renames: Renames,
): readonly Splice[] {
  const present = renames.nameOf(module, imported.text);
  if (present === undefined) return [];
  const { start, end } = imported;
  if (isAlias) return [{ start, end, replacement: present }];
  const uses = names.filter((name) => name.isReference && name.text === local && name.start !== start);
  // The name that it has here stays wherever changing it would touch what is not ours, or mean something else.
  const keepsLocal =
    isExport ||
    annotation === undefined ||
    uses.some((use) => !isWithin(use, annotation)) ||
    names.some(({ text }) => text === present);
  if (keepsLocal) return [{ start, end, replacement: `${present} as ${local}` }];
  return [{ start, end }, ...uses].map((range) => ({
    start: range.start,
    end: range.end,
    replacement: present,
  }));
}
