import Table from "cli-table3";
import pc from "picocolors";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { terminalText } from "../../../runtime/operations/cli/index.ts";
import { isObject } from "./request-text.ts";
import { stripVTControlCharacters } from "node:util";

const emptyBorder = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/**
 * A result for people: its lists as tables, everything else as lines of name and value. With a `width`, that of the
 * terminal, tables fit it: their long columns are cut. Lines of name and value stay whole.
 */
export function resultText(result: object, columns?: readonly string[], width?: number): string {
  const members = Object.entries(result).filter(([name]) => name !== "next");
  const lists = members.flatMap(([name, value]) => (isRecordList(value) ? [{ name, rows: value }] : []));
  const others = Object.fromEntries(members.filter(([, value]) => !isRecordList(value)));
  const tables = lists.map(({ name, rows }) => {
    const table = rows.length === 0 ? `No ${name}.` : tableText(rows, columns, width);
    return lists.length > 1 ? `${pc.bold(name)}\n${table}` : table;
  });
  return [...(Object.keys(others).length === 0 ? [] : [recordText(others)]), ...tables].join("\n\n");
}

/** One value of a result for scripts, by its path: a text as it is, everything else as JSON. */
export function valueText(result: object, path: string): string {
  let value: unknown = result;
  for (const name of path.split(".")) {
    const members = new Map<string, unknown>(isObject(value) ? Object.entries(value) : []);
    if (!members.has(name)) {
      const names = members.size === 0 ? "none" : [...members.keys()].join(", ");
      throw new Error(`The result has no ${path}: there is no ${name}. What there is: ${names}.`);
    }
    value = members.get(name);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function tableText(
  rows: readonly object[],
  columns: readonly string[] = columnsOf(rows),
  width?: number,
): string {
  const lines = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return columns.map((column) => tableCell(values.get(column)));
  });
  alignAmounts(lines);
  const whole = columns.map((column, index) =>
    Math.max(...[column, ...lines.map((line) => line[index] ?? "")].map(widthOf)),
  );
  const times = new Set(
    columns.flatMap((_, index) => (lines.some((line) => time.test(line[index] ?? "")) ? [index] : [])),
  );
  const room = (width ?? 0) - (columns.length - 1) * emptyBorder.middle.length;
  const table = new Table(
    omitUndefined({
      head: columns.map((column) => pc.bold(column)),
      chars: emptyBorder,
      style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
      colWidths: width === undefined ? undefined : [...fittedWidths(whole, room, times)],
    }),
  );
  table.push(...lines.map((line) => line.map(colored)));
  return trimmed(table.toString());
}

function recordText(record: object): string {
  const lines = new Table({
    chars: emptyBorder,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const [path, value] of leaves(record)) lines.push([pc.bold(terminalText(path)), cell(value)]);
  return trimmed(lines.toString());
}

/** Members of members by paths: `contact.email`, `attempts.0.failure`. */
function* leaves(value: object, path = ""): Generator<readonly [string, unknown]> {
  for (const [name, member] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    if (isObject(member) && !isTextList(member)) yield* leaves(member, at);
    else yield [at, member];
  }
}

function columnsOf(rows: readonly object[]): readonly string[] {
  const names = rows.flatMap((row) =>
    Object.entries(row).flatMap(([name, value]) => (isObject(value) && !isTextList(value) ? [] : [name])),
  );
  return [...new Set(names)];
}

/** A time to the second, with its zone. */
const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A value as a table shows it: times without fractions, and amounts of money as people write them. */
function tableCell(value: unknown): string {
  if (isObject(value) && "Amount" in value && "Currency" in value) {
    return cell(`${String(value.Amount)} ${String(value.Currency)}`);
  }
  return cell(value).replace(time, "$1$2");
}

/** An amount, with its currency if it has one. */
const amount = /^-?\d+(?:\.\d+)?(?= [A-Z]{3}$|$)/;

/** Pads the cells of columns that hold nothing but amounts, at least one with a fraction, so that decimal points meet. */
function alignAmounts(lines: readonly string[][]): void {
  for (const index of lines[0]?.keys() ?? []) {
    const cells = lines.map((line) => line[index] ?? "");
    const given = cells.filter((each) => each !== "-");
    if (!given.every((each) => amount.test(each)) || !given.some((each) => each.includes("."))) continue;
    const parts = cells.map((each) => {
      const [digits = each] = amount.exec(each) ?? [];
      const [whole = "", fraction] = digits.split(".");
      return {
        whole,
        fraction: fraction === undefined ? "" : `.${fraction}`,
        rest: each.slice(digits.length),
      };
    });
    const [left, right] = [parts.map(({ whole }) => whole), parts.map(({ fraction }) => fraction)].map(
      (texts) => Math.max(...texts.map((each) => each.length)),
    );
    lines.forEach((line, row) => {
      const { whole = "", fraction = "", rest = "" } = parts[row] ?? {};
      line[index] = `${whole.padStart(left ?? 0)}${fraction.padEnd(right ?? 0)}${rest}`;
    });
  }
}

const good = new Set(["ACTIVE", "COMPLETED", "DELIVERED", "ENABLED", "CREATED", "SENT"]);
const bad = new Set(["BLOCKED", "CLOSED", "DEAD", "DECLINED", "DISABLED", "FAILED", "REJECTED", "REVOKED"]);

/** A state in colour, where the output is a terminal that has some: the word says all. */
function colored(text: string): string {
  if (good.has(text)) return pc.green(text);
  return bad.has(text) ? pc.red(text) : text;
}

/** Control characters of other people's texts do not reach the terminal. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "-";
  const text = Array.isArray(value)
    ? value.join(",")
    : isObject(value)
      ? JSON.stringify(value)
      : String(value);
  return terminalText(text.trim()).replaceAll("\t", String.raw`\t`);
}

function trimmed(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function isRecordList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every((member) => isObject(member) && !Array.isArray(member));
}

function isTextList(value: object): boolean {
  return Array.isArray(value) && value.every((member) => !isObject(member));
}

/** Columns are not cut shorter: the rest of a name would say nothing. */
const leastWidth = 6;

/**
 * Widths of columns that together take at most `room`: the longest columns are cut first, to the same width. The
 * first column, which names the row for other commands, and `times`, which are useless in part, stay whole; the
 * others keep some characters. A column has at least one character, so a room smaller than the columns are many is
 * overrun.
 */
export function fittedWidths(
  whole: readonly number[],
  room: number,
  times: ReadonlySet<number> = new Set(),
): readonly number[] {
  for (const kept of [new Set([0, ...times]), new Set([0])]) {
    const others = whole.filter((_, index) => !kept.has(index));
    const limit = limitOf(others, room - sum(whole.filter((_, index) => kept.has(index))));
    if (others.length > 0 && limit >= leastWidth) {
      return whole.map((width, index) => (kept.has(index) ? width : Math.min(width, limit)));
    }
  }
  const narrow = limitOf(whole, room);
  return whole.map((width) => Math.min(width, narrow));
}

/** The greatest width that, where no column is wider, lets all of them fit. */
function limitOf(widths: readonly number[], room: number): number {
  let limit = Math.max(1, ...widths);
  while (limit > 1 && sum(widths.map((width) => Math.min(width, limit))) > room) limit -= 1;
  return limit;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** The cells of a terminal that the longest line of a text takes. */
export function widthOf(text: string): number {
  const lines = stripVTControlCharacters(text).split("\n");
  return Math.max(...lines.map((line) => sum([...line].map((letter) => (wide.test(letter) ? 2 : 1)))));
}
