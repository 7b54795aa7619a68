import type { SourceText } from "../../source/index.ts";
import type { Entry, ListNode, MapNode, Node, ScalarNode } from "../node.ts";
import { flowNode } from "./flow.ts";
import { blockText, isPlainStart, plain, plainValue, quoted } from "./scalars.ts";
import { OtherForm, otherForm, TextReader } from "./text-reader.ts";

/**
 * Reads YAML of the form that nearly every file has, which takes a tenth of what the YAML parser does: mappings, lists,
 * texts and numbers, without tabs, anchors, tags and repeated keys. Undefined for everything else, mistakes among it:
 * then the parser says what it is. Where there is a result, it is the parser's.
 */
export function readCommonForm(source: SourceText, depthMax: number): Node | undefined {
  if (/[\t\r\uFEFF\uFFFD]/.test(source.text)) return undefined;
  const reader = new TextReader(source);
  try {
    reader.nextContent();
    const root = blockCollection(reader, -1, depthMax);
    return root !== undefined && reader.at >= source.text.length ? root : undefined;
  } catch (cause) {
    if (cause instanceof OtherForm) return undefined;
    throw cause;
  }
}

/** A list or a mapping that begins here; undefined where there is another node. */
function blockCollection(reader: TextReader, parent: number, depth: number): Node | undefined {
  if (depth === 0) otherForm();
  if (reader.column <= parent) otherForm();
  if (isItem(reader)) return blockList(reader, depth);
  return keyEnd(reader) === undefined ? undefined : blockMap(reader, depth);
}

function isItem({ text, at }: TextReader): boolean {
  return text.charAt(at) === "-" && /[ \n]/.test(text.charAt(at + 1));
}

function blockList(reader: TextReader, depth: number): ListNode {
  const { at: start, column } = reader;
  const items: Node[] = [];
  do {
    reader.at += 1;
    if (reader.skippedBlanks() === 0) otherForm();
    if (reader.here === "\n" || reader.here === "#") otherForm();
    items.push(blockCollection(reader, column, depth - 1) ?? scalarOrFlow(reader, column, depth - 1));
  } while (reader.at < reader.text.length && reader.column === column && isItem(reader));
  return { kind: "list", span: { ...reader.spanFrom(start), end: endOf(items.at(-1)) }, items };
}

function blockMap(reader: TextReader, depth: number): MapNode {
  const { at: start, column } = reader;
  const entries: Entry[] = [];
  const keys = new Set<string>();
  do {
    const entry = blockEntry(reader, column, depth);
    if (keys.has(entry.key)) otherForm();
    keys.add(entry.key);
    entries.push(entry);
  } while (reader.at < reader.text.length && reader.column === column);
  if (reader.at < reader.text.length && reader.column > column) otherForm();
  const span = { ...reader.spanFrom(start), end: endOf(entries.at(-1)?.value) };
  return { kind: "map", span, entries };
}

function endOf(last: Node | undefined): number {
  return last?.span.end ?? otherForm();
}

function blockEntry(reader: TextReader, column: number, depth: number): Entry {
  const { text, at: start } = reader;
  const end = keyEnd(reader) ?? otherForm();
  const keySpan = reader.spanFrom(start, end);
  const key = keyText(reader, start, end);
  reader.at = text.indexOf(":", end) + 1;
  const isApart = reader.skippedBlanks() > 0;
  if (reader.here !== "\n" && !(reader.here === "#" && isApart))
    return { key, keySpan, value: scalarOrFlow(reader, column, depth - 1) };
  reader.at = reader.lineEnd();
  reader.nextContent();
  if (reader.at >= text.length) otherForm();
  // A list may stand as far to the left as the key that it belongs to.
  const isBeside = reader.column === column && isItem(reader);
  if (!isBeside && reader.column <= column) otherForm();
  const value =
    blockCollection(reader, isBeside ? column - 1 : column, depth - 1) ??
    scalarOrFlow(reader, column, depth - 1);
  return { key, keySpan, value };
}

function keyText(reader: TextReader, start: number, end: number): string {
  const { text } = reader;
  if (!/["']/.test(text.charAt(start))) {
    const written = text.slice(start, end);
    return plainValue(written) === null ? otherForm() : written;
  }
  reader.at = start;
  return String(quoted(reader, Infinity).value);
}

/** The end of a key that begins here, before its colon; undefined where there is none. */
function keyEnd({ text, at: start }: TextReader): number | undefined {
  nameHere.lastIndex = start;
  const end = nameHere.test(text) ? nameHere.lastIndex : anyKeyEnd(text, start);
  // A longer key is none.
  return end !== undefined && end - start > keyLengthMax ? otherForm() : end;
}

function anyKeyEnd(text: string, start: number): number | undefined {
  const [, key] = keyHere.exec(text.slice(start, lineEndOf(text, start))) ?? [];
  return key === undefined ? undefined : start + key.length;
}

const keyLengthMax = 1000;
/** A name: nearly every key is one. */
const nameHere = /[A-Za-z$][\w.$/-]*(?=:[ \n])/y;
const keyHere =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^-?:,[\]{}#&*!|>'"%@` ](?:[^:#]|:(?! |$)|(?<! )#)*?) *:(?: |$)/;

function lineEndOf(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

/** A value that begins here and belongs to a list or a mapping at the column `parent`. */
function scalarOrFlow(reader: TextReader, parent: number, depth: number): Node {
  const node = inLine(reader, parent, depth);
  reader.endLine();
  return node;
}

function inLine(reader: TextReader, parent: number, depth: number): Node {
  switch (reader.here) {
    case "{":
    case "[":
      return flowNode(reader, parent, depth);
    case '"':
    case "'":
      return quoted(reader, parent);
    case "|":
    case ">":
      return blockText(reader, parent);
    default:
      return plainText(reader, parent);
  }
}

/** Plain text, of one line or of several. */
function plainText(reader: TextReader, parent: number): ScalarNode {
  const { text, at: start } = reader;
  if (!isPlainStart(text, start)) otherForm();
  let end = plainLineEnd(reader, start);
  for (let next = continuation(reader, end, parent); next !== undefined;) {
    end = plainLineEnd(reader, next);
    next = continuation(reader, end, parent);
  }
  reader.at = end;
  return plain(reader, start, end);
}

/** The end of the plain text on a line, before blanks and a comment. */
function plainLineEnd(reader: TextReader, start: number): number {
  const { text } = reader;
  const line = text.slice(start, reader.lineEnd(start));
  if (line.includes(": ") || line.endsWith(":")) otherForm();
  const comment = line.indexOf(" #");
  return start + (comment === -1 ? line : line.slice(0, comment)).trimEnd().length;
}

/** Where plain text goes on in a later line; undefined where it ends. */
function continuation(reader: TextReader, end: number, parent: number): number | undefined {
  const { text } = reader;
  let at = end + reader.blanksFrom(end);
  if (text.charAt(at) !== "\n") return undefined;
  while (text.charAt(at) === "\n") {
    const indent = reader.blanksFrom(at + 1);
    const start = at + 1 + indent;
    if (text.charAt(start) !== "\n" && start < text.length)
      return indent > parent && text.charAt(start) !== "#" ? start : undefined;
    at = start;
  }
  return undefined;
}
