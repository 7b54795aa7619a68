import type { ScalarNode } from "../node.ts";
import { otherForm, type TextReader } from "./text-reader.ts";

/** A quoted text. Its lines after the first stand deeper than `parent`. */
export function quoted(reader: TextReader, parent: number): ScalarNode {
  const { text, at: start, here: quote } = reader;
  const end = closingQuote(text, start);
  reader.at = end + 1;
  const written = text.slice(start + 1, end);
  checkLines(written, parent);
  const value =
    quote === "'" ? folded(written).replaceAll("''", "'") : written.replaceAll(doubleQuoted, unescaped);
  return { kind: "scalar", span: reader.spanFrom(start), value };
}

function closingQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length) {
    const here = text.charAt(at);
    const isDoubled = quote === "'" && here === quote && text.charAt(at + 1) === quote;
    if (here === quote && !isDoubled) return at;
    at += isDoubled || (quote === '"' && here === "\\") ? 2 : 1;
  }
  return otherForm();
}

/** Escaped line breaks, line breaks, and characters that are escaped. */
const doubleQuoted = /\\\n *| *\n[ \n]*|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^])/g;

function unescaped(written: string): string {
  if (written.startsWith("\\\n")) return "";
  if (!written.startsWith("\\")) return "\n".repeat(written.split("\n").length - 2) || " ";
  if (written.length > 2) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  return escapes.get(written) ?? otherForm();
}

const escapes = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\r", "\r"],
  ['\\"', '"'],
  ["\\\\", "\\"],
  ["\\/", "/"],
  ["\\ ", " "],
]);

/** All lines but the first stand deeper than what they are part of. */
function checkLines(written: string, parent: number): void {
  if (!written.includes("\n")) return;
  for (const line of written.split("\n").slice(1)) {
    const indent = line.search(/[^ ]/);
    if ((indent !== -1 && indent <= parent) || line.endsWith(" ")) otherForm();
  }
}

/** Lines put together: a line break is a blank, and each empty line a line break. */
function folded(written: string): string {
  return written.includes("\n")
    ? written.replaceAll(/ *\n[ \n]*/g, (gap) => "\n".repeat(gap.split("\n").length - 2) || " ")
    : written;
}

/** A text behind `|` or `>`, whose lines stand deeper than `parent`. */
export function blockText(reader: TextReader, parent: number): ScalarNode {
  const { text, at: start } = reader;
  const headEnd = reader.lineEnd();
  const head = text.slice(start, headEnd).trimEnd();
  if (!/^[|>]-?$/.test(head)) otherForm();
  const indent = reader.blanksFrom(headEnd + 1);
  if (indent <= parent || text.charAt(headEnd + 1 + indent) === "\n") otherForm();
  const lines: string[] = [];
  let [at, end] = [headEnd, headEnd];
  while (at < text.length) {
    const lineEnd = reader.lineEnd(at + 1);
    const blanks = reader.blanksFrom(at + 1);
    const isEmpty = at + 1 + blanks >= lineEnd;
    if (isEmpty && blanks > 0) otherForm();
    if (!isEmpty && blanks < indent) break;
    lines.push(isEmpty ? "" : text.slice(at + 1 + indent, lineEnd));
    at = lineEnd;
    if (!isEmpty) end = lineEnd;
  }
  reader.at = end;
  const content = lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  if (content.length === 0) otherForm();
  const body = head.startsWith("|") ? content.join("\n") : foldedBlock(content);
  const value = head.endsWith("-") ? body : `${body}\n`;
  return { kind: "scalar", span: reader.spanFrom(start), value };
}

function foldedBlock(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith(" "))) otherForm();
  return lines.join("\n").replaceAll(/\n+/g, (gap) => "\n".repeat(gap.length - 1) || " ");
}

/** A text without quotes, from `start` to `end`. Of several lines, all but the first have been held against `parent`. */
export function plain(reader: TextReader, start: number, end: number): ScalarNode {
  const span = reader.spanFrom(start, end);
  return { kind: "scalar", span, value: plainValue(folded(reader.text.slice(start, end))) };
}

/** Whether plain text begins here. */
export function isPlainStart(text: string, at: number): boolean {
  const first = text.charAt(at);
  if (first === "-") return /[^ \n,[\]{}]/.test(text.charAt(at + 1));
  return first !== "" && !"?:,[]{}#&*!|>'\"%@` \n".includes(first);
}

/** The value of plain text by YAML's core schema. Numbers are read that surely are what is written. */
export function plainValue(written: string): string | number | boolean | null {
  if (!/^[-+.\dtTfFnN~]/.test(written)) return written;
  if (/^(?:true|True|TRUE)$/.test(written)) return true;
  if (/^(?:false|False|FALSE)$/.test(written)) return false;
  if (/^(?:~|null|Null|NULL)$/.test(written)) return null;
  if (!anyNumber.test(written)) return written;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written)) otherForm();
  const digits = written.replaceAll(/[-.]/g, "").length;
  return digits <= digitsMax || Number.isSafeInteger(Number(written)) ? Number(written) : otherForm();
}

const anyNumber =
  /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** So many digits of any decimal survive in a number. */
const digitsMax = 15;
