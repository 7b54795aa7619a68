import { posix } from "node:path";
import type { HandlerEntry } from "../manifest.ts";
import type { LocatedHandler } from "./locate-handler.ts";
import { assertOutside, spliced, type Splice } from "./splice.ts";
import { docDigest, type StubParts } from "./stub-parts.ts";

/** A handler file that exists, what was generated into it, and what would be today. */
export interface HandlerMerge {
  readonly bytes: Buffer;
  /** Where it is and where it belongs, relative to the project's root; the same unless the method was renamed. */
  readonly from: string;
  readonly to: string;
  readonly written: HandlerEntry;
  readonly wanted: StubParts;
}

/** The file's new text; or why the file is left as it is. */
export type MergedHandler =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "refused"; readonly reason: string };

/**
 * Changes the generator's own words in a handler file: its doc comment, where it is still the one that was written;
 * and the names of function and type, and the relative imports, where the file moves. Located by parsing, changed
 * by splicing, so that every other byte stays. Throws when the body is not the same afterwards.
 */
export async function mergeHandler(merge: HandlerMerge): Promise<MergedHandler> {
  const decoded = decodedText(merge.bytes);
  if (decoded === undefined) return refused("it is not UTF-8");
  const { mark, text } = decoded;
  const { locateHandler } = await import("./locate-handler.ts");
  const { written, wanted } = merge;
  const isRenamed = written.export !== wanted.export;
  const located = locateHandler(text, written.export, written.type);
  if (located === "unparsable") return refused("it does not parse as TypeScript");
  // A run that was interrupted, or the author, made the change already.
  if (located === "absent" && typeof locateHandler(text, wanted.export, wanted.type) !== "string")
    return { kind: "text", text: mark + text };
  if (located === "absent") return refused(`it exports no \`${written.export}\``);
  if (isRenamed && located.names.has(wanted.export))
    return refused(`it has something else named \`${wanted.export}\``);
  const splices = [
    ...docSplices(text, located, merge),
    ...nameSplices(text, located, merge),
    ...importSplices(located, merge),
  ];
  assertOutside(splices, located.body);
  const merged = spliced(text, splices);
  const after = locateHandler(merged, wanted.export, wanted.type);
  if (typeof after === "string" || bodyOf(merged, after) !== bodyOf(text, located))
    throw new Error(`${merge.to}: the body of ${wanted.export} would not survive; nothing was written`);
  return { kind: "text", text: mark + merged };
}

function refused(reason: string): MergedHandler {
  return { kind: "refused", reason };
}

function docSplices(
  text: string,
  { doc, statement }: LocatedHandler,
  { written, wanted }: HandlerMerge,
): readonly Splice[] {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const wantedDoc = wanted.doc?.replaceAll("\n", lineEnd);
  if (doc === undefined) {
    const isOurs = written.doc === undefined && wantedDoc !== undefined;
    return isOurs ? [{ start: statement, end: statement, replacement: `${wantedDoc}${lineEnd}` }] : [];
  }
  const isOurs = docDigest(text.slice(doc.start, doc.end)) === written.doc;
  if (!isOurs) return [];
  return [
    wantedDoc === undefined
      ? { start: doc.start, end: statement, replacement: "" }
      : { ...doc, replacement: wantedDoc },
  ];
}

function nameSplices(text: string, located: LocatedHandler, { wanted }: HandlerMerge): readonly Splice[] {
  const renamed = (
    range: { readonly start: number; readonly end: number },
    replacement: string,
  ): readonly Splice[] =>
    text.slice(range.start, range.end) === replacement
      ? []
      : [{ start: range.start, end: range.end, replacement }];
  return [
    ...renamed(located.name, wanted.export),
    ...located.typeNames.flatMap((range) => renamed(range, wanted.type)),
  ];
}

function importSplices({ specifiers }: LocatedHandler, { from, to }: HandlerMerge): readonly Splice[] {
  const [fromFolder, toFolder] = [posix.dirname(from), posix.dirname(to)];
  if (fromFolder === toFolder) return [];
  return specifiers.map(({ start, end, text }) => {
    const path = posix.relative(toFolder, posix.join(fromFolder, text));
    return { start, end, replacement: path.startsWith(".") ? path : `./${path}` };
  });
}

function bodyOf(text: string, { body }: LocatedHandler): string {
  return text.slice(body.start, body.end);
}

/** Undefined where the bytes are not UTF-8: written back, they would not be the same. */
function decodedText(bytes: Buffer): { readonly mark: string; readonly text: string } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return { mark, text: text.slice(mark.length) };
  } catch {
    return undefined;
  }
}
