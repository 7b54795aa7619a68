import type { HandlerEntry } from "../manifest.ts";
import type { ProjectStyle } from "../project-style.ts";
import { handText, lineEndAt } from "./hand-text.ts";
import type { LocatedHandler } from "./locate-handler.ts";
import type { WrittenName } from "./parse-module.ts";
import { noRenames, type Renames } from "./renames.ts";
import { assertOnlySpliced, assertOutside, spliced, type Splice } from "./splice.ts";
import { docDigest, type StubParts } from "./stub-parts.ts";
import { isWithin, type TextRange } from "./text-range.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** A hand-written file that exists, and what has changed around it. */
export interface HandlerMerge {
  readonly bytes: Buffer;
  /** Where it is and where it belongs, relative to the project's root; the same unless its method was renamed. */
  readonly from: string;
  readonly to: string;
  /** Both texts of a method's file: the generated one of its last run, and today's. */
  readonly method?: { readonly written: HandlerEntry; readonly wanted: StubParts };
  readonly renames?: Renames;
  /** The layout of a statement that is added; that of the generator if absent. */
  readonly style?: ProjectStyle;
}

/** The file's new bytes; or why the file is left as it is. */
export type MergedHandler =
  | {
      readonly kind: "bytes";
      readonly bytes: Buffer;
      /** Relative modules and names of types in the body that have another place or name now. */
      readonly stranded: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Changes the generator's own words in a hand-written file: its unchanged doc comment, the handler's name, the names
 * of imports. It parses to find them and splices, so that every other byte stays. Throws when the body is not the
 * same afterwards.
 */
export async function mergeHandler(merge: HandlerMerge): Promise<MergedHandler> {
  try {
    return await merged(merge);
  } catch (cause) {
    // The parser and those who walk its tree call themselves for what is nested.
    if (cause instanceof RangeError) return refused("it is nested too deeply");
    throw cause;
  }
}

async function merged(merge: HandlerMerge): Promise<MergedHandler> {
  const { bytes, from, to, method, renames = noRenames, style = unchanged } = merge;
  const decoded = handText(bytes);
  if (decoded === undefined) return refused("it is not UTF-8");
  const { mark, text } = decoded;
  const [{ locateHandler }, { moduleReferences }, { parseModule, writtenNames }, { importSplices }] =
    await loadParser();
  const file = parseModule(text);
  if (file === undefined) return refused(unparsed(text));

  const names = writtenNames(file);
  const isRenamed = method !== undefined && method.written.export !== method.wanted.export;
  const former = method && locateHandler(file, method.written.export);
  // A run that was interrupted, or the author, made the change already.
  const located = former ?? (isRenamed ? locateHandler(file, method.wanted.export) : undefined);
  if (method !== undefined && located === undefined && (isRenamed || from !== to))
    return refused(`no statement in it declares and exports \`${method.written.export}\``);
  if (isRenamed && former !== undefined && isTaken(method.wanted.export, names, former.body))
    return refused(`it has something else named \`${method.wanted.export}\``);

  const body = located?.body;
  const importing = { from, to, references: moduleReferences(file), names, ...placesOf(located) };
  const imports = importSplices(importing, renames);
  const splices = [
    ...(method === undefined || located === undefined ? [] : docSplices(text, located, method)),
    ...(isRenamed && former !== undefined
      ? await exportSplices(text, former, method, (statement) => style(to, statement))
      : []),
    ...imports.splices,
  ];
  const mergedText = spliced(text, splices);
  const after = Buffer.from(mark + mergedText);
  if (body !== undefined) assertOutside(splices, body);
  assertOnlySpliced(bytes, after, splices.map(shiftedBy(mark.length)));
  const exported = isRenamed ? method.wanted.export : method?.written.export;
  if (body !== undefined && exported !== undefined) {
    const parsed = parseModule(mergedText);
    const again = parsed && locateHandler(parsed, exported)?.body;
    if (again === undefined || textAt(mergedText, again) !== textAt(text, body))
      throw new Error(`${to}: the body of ${exported} would not survive; nothing was written`);
  }
  return { kind: "bytes", bytes: after, stranded: imports.stranded };
}

function placesOf(located: LocatedHandler | undefined): Pick<LocatedHandler, "body" | "annotation"> {
  const { body, annotation } = located ?? {};
  return omitUndefined({ body, annotation });
}

/** Loaded late: most runs change no hand-written file. */
function loadParser() {
  return Promise.all([
    import("./locate-handler.ts"),
    import("./module-references.ts"),
    import("./parse-module.ts"),
    import("./import-splices.ts"),
  ]);
}

function unparsed(text: string): string {
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text)
    ? "a merge has left its conflict markers in it"
    : "it does not parse as TypeScript";
}

function refused(reason: string): MergedHandler {
  return { kind: "refused", reason };
}

function isTaken(name: string, names: readonly WrittenName[], body: TextRange | undefined): boolean {
  return names.some(
    (each) => each.isReference && each.text === name && (body === undefined || !isWithin(each, body)),
  );
}

type MethodWords = NonNullable<HandlerMerge["method"]>;

function docSplices(
  text: string,
  { doc, statement }: LocatedHandler,
  { written, wanted }: MethodWords,
): readonly Splice[] {
  if (statement === undefined) return [];
  const lineEnd = lineEndAt(text, doc?.start ?? statement);
  const wantedDoc = wanted.doc?.replaceAll("\n", lineEnd);
  if (doc === undefined) {
    const isOurs = written.doc === undefined && wantedDoc !== undefined;
    return isOurs ? [{ start: statement, end: statement, replacement: `${wantedDoc}${lineEnd}` }] : [];
  }
  const present = textAt(text, doc);
  const isOurs = docDigest(present) === written.doc;
  if (!isOurs || docDigest(present) === (wanted.doc === undefined ? undefined : docDigest(wanted.doc)))
    return [];
  return [
    wantedDoc === undefined
      ? { start: doc.start, end: statement, replacement: "" }
      : { ...doc, replacement: wantedDoc },
  ];
}

/**
 * Gives the handler another name to the outside. If its file calls it by the old name too, the file keeps that name
 * and exports both. Words of the body stay as they are.
 */
async function exportSplices(
  text: string,
  { exported }: LocatedHandler,
  { written, wanted }: MethodWords,
  style: (statement: string) => Promise<string>,
): Promise<readonly Splice[]> {
  if (exported.kind === "clause") {
    const { name, isAlias } = exported;
    return [{ ...name, replacement: isAlias ? wanted.export : `${written.export} as ${wanted.export}` }];
  }
  const { names, end, isUsed } = exported;
  if (!isUsed) return names.map((name) => ({ ...name, replacement: wanted.export }));
  const lineEnd = lineEndAt(text, end);
  const statement = await style(`export { ${written.export} as ${wanted.export} };\n`);
  const after = end + (restOfLine.exec(text.slice(end))?.[0].length ?? 0);
  return [{ start: after, end: after, replacement: `${lineEnd}${statement.trimEnd()}` }];
}

/** Comments to the end of the line: what they say is about what stands before them. */
const restOfLine = /^[ \t]*(?:\/\*[^\r\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/;

const unchanged: ProjectStyle = (_path, text) => Promise.resolve(text);

function textAt(text: string, { start, end }: TextRange): string {
  return text.slice(start, end);
}

function shiftedBy(offset: number): (splice: Splice) => Splice {
  return ({ start, end, replacement }) => ({ start: start + offset, end: end + offset, replacement });
}
