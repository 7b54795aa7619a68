import type { Entry, Node } from "../node.ts";
import { isPlainStart, plain, plainValue, quoted } from "./scalars.ts";
import { otherForm, type TextReader } from "./text-reader.ts";

/** A list or a mapping between brackets, or a scalar in one. Its lines after the first stand deeper than `parent`. */
export function flowNode(reader: TextReader, parent: number, depth: number): Node {
  if (depth === 0) otherForm();
  switch (reader.here) {
    case "{":
      return flowMap(reader, parent, depth);
    case "[":
      return flowList(reader, parent, depth);
    case '"':
    case "'":
      return quoted(reader, parent);
    default:
      return plain(reader, reader.at, plainEnd(reader));
  }
}

function flowMap(reader: TextReader, parent: number, depth: number): Node {
  const { at: start } = reader;
  const entries: Entry[] = [];
  const keys = new Set<string>();
  for (opened(reader, parent); reader.here !== "}"; separated(reader, "}", parent)) {
    const entry = flowEntry(reader, parent, depth);
    if (keys.has(entry.key)) otherForm();
    keys.add(entry.key);
    entries.push(entry);
  }
  reader.at += 1;
  return { kind: "map", span: reader.spanFrom(start), entries };
}

function flowEntry(reader: TextReader, parent: number, depth: number): Entry {
  const { text, at: start, here } = reader;
  const isQuoted = here === '"' || here === "'";
  const written = isQuoted ? quoted(reader, parent) : undefined;
  const end = written === undefined ? plainEnd(reader) : reader.at;
  const keySpan = reader.spanFrom(start, end);
  if (!/^:[ \n]$/.test(text.slice(reader.at, reader.at + 2))) otherForm();
  if (written === undefined && plainValue(text.slice(start, end)) === null) otherForm();
  const key = written === undefined ? text.slice(start, end) : String(written.value);
  if (text.slice(start, end).includes("\n")) otherForm();
  reader.at += 1;
  skipGap(reader, parent);
  return { key, keySpan, value: flowNode(reader, parent, depth - 1) };
}

function flowList(reader: TextReader, parent: number, depth: number): Node {
  const { at: start } = reader;
  const items: Node[] = [];
  for (opened(reader, parent); reader.here !== "]"; separated(reader, "]", parent)) {
    items.push(flowNode(reader, parent, depth - 1));
    // A pair in a list is a mapping of its own.
    if (reader.here === ":") otherForm();
  }
  reader.at += 1;
  return { kind: "list", span: reader.spanFrom(start), items };
}

function opened(reader: TextReader, parent: number): void {
  reader.at += 1;
  skipGap(reader, parent);
}

/** Goes on behind an item: to the next one, or to the bracket that closes. */
function separated(reader: TextReader, close: string, parent: number): void {
  skipGap(reader, parent);
  if (reader.here === close) return;
  if (reader.here !== ",") otherForm();
  reader.at += 1;
  skipGap(reader, parent);
}

/** Blanks and line breaks between two parts. */
function skipGap(reader: TextReader, parent: number): void {
  reader.skipBlanks();
  while (reader.here === "\n") {
    reader.at += 1;
    const indent = reader.skippedBlanks();
    if (indent <= parent && reader.here !== "\n") otherForm();
  }
}

/** The end of plain text, which the reader goes to. It ends on its line, before what goes on with the collection. */
function plainEnd(reader: TextReader): number {
  const { text, at: start } = reader;
  if (!isPlainStart(text, start)) otherForm();
  plainStop.lastIndex = start;
  const stop = plainStop.exec(text);
  if (stop === null || /[#\n]/.test(stop[0])) otherForm();
  reader.at = stop.index;
  let last = stop.index;
  while (text.charAt(last - 1) === " ") last -= 1;
  return last;
}

const plainStop = /[,[\]{}\n]|:(?=[\s,[\]{}])| #/g;
