import { widthMax } from "./layout.ts";
import { createLastMemo, createMemo } from "./memo.ts";

/**
 * The text of a JSON file: members in the order given, laid out as the formatter does it, which puts on one line what
 * fits there; but the document itself has a member a line. Where a character may be wider or narrower than others, the
 * lines are left to the formatter.
 */
export function jsonDocument(value: unknown): string {
  return jsonLines(value).text;
}

/** The same, and whether its lines are broken already. */
export function jsonLines(value: unknown): { readonly text: string; readonly isLaidOut: boolean } {
  const isRoot = isPlainObject(value) && membersOf(value).length > 0;
  const text = `${isRoot ? brokenObject(value, "") : laidOut(value, "", widthMax)}\n`;
  if (!ofOtherWidth.test(text)) return { text, isLaidOut: true };
  return { text: `${JSON.stringify(value).replace(/^\{(?!\})/, "{\n")}\n`, isLaidOut: false };
}

/** Characters that are not known to be as wide as a letter. */
const ofOtherWidth = /[^\n\x20-\x7E¡-¨ª-¬¯-ɏ‐‒-‧‰-※€]/;

/** Lays out a value that begins where `room` columns are left for its first line. */
type LayOut = (value: unknown, indent: string, room: number) => string;

/**
 * The same for what a document has many of: the members of its members, `paths./accounts`, and where such a member has
 * many itself, these, `components.schemas.Account`.
 */
const remembered: LayOut = (value, indent, room) => {
  if (typeof value !== "object" || value === null || hasMany(value)) return laidOut(value, indent, room);
  const make = (): string =>
    laidOutBefore.of(
      () => `${indent.length} ${room} ${JSON.stringify(value)}`,
      () => laidOut(value, indent, room),
    );
  return lastLaidOut.of(value, `${indent.length} ${room}`, make);
};

const laidOutBefore = createMemo<string>();
const lastLaidOut = createLastMemo<object, string>();

function hasMany(value: object): boolean {
  return Object.keys(value).length > 40;
}

function innerOf(value: object, indent: string): LayOut {
  return indent.length === 2 || (indent.length === 4 && hasMany(value)) ? remembered : laidOut;
}

function laidOut(value: unknown, indent: string, room: number): string {
  const flat = flatText(value, room);
  if (flat !== undefined) return flat;
  if (Array.isArray(value)) return brokenArray(value, indent);
  return isPlainObject(value) ? brokenObject(value, indent) : scalarText(value);
}

function brokenObject(value: object, indent: string): string {
  const inner = `${indent}  `;
  const members = membersOf(value);
  const layOut = innerOf(value, indent);
  const lines = members.map(([name, member], at) => {
    const key = `${inner}${JSON.stringify(name)}: `;
    return key + layOut(member, inner, roomAfter(key, at, members));
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function brokenArray(items: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  const layOut = innerOf(items, indent);
  const lines =
    items.length > 1 && items.every((item) => typeof item === "number")
      ? filledLines(items.map(scalarText), inner)
      : items.map((item, at) => inner + layOut(item, inner, roomAfter(inner, at, items)));
  return `[\n${lines.join(",\n")}\n${indent}]`;
}

/** Columns after the beginning of a line, without that of the comma which follows all but the last. */
function roomAfter(beginning: string, at: number, all: readonly unknown[]): number {
  return widthMax - beginning.length - (at < all.length - 1 ? 1 : 0);
}

/** Numbers, as many a line as fit there. */
function filledLines(numbers: readonly string[], indent: string): readonly string[] {
  const lines: string[] = [];
  let line = indent + (numbers[0] ?? "");
  numbers.slice(1).forEach((number, at) => {
    const next = `${line}, ${number}`;
    if (next.length + (at < numbers.length - 2 ? 1 : 0) <= widthMax) line = next;
    else {
      lines.push(line);
      line = indent + number;
    }
  });
  return [...lines, line];
}

/** A value on one line; undefined where it does not fit there, or has more lines anyway. */
function flatText(value: unknown, room: number): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return hasLineEach(value) ? undefined : joined("[", value, "]", room, flatText);
  }
  if (!isPlainObject(value)) {
    const text = scalarText(value);
    return text.length <= room ? text : undefined;
  }
  const members = membersOf(value);
  if (members.length === 0) return "{}";
  return joined("{ ", members, " }", room, ([name, member], left) => {
    const key = `${JSON.stringify(name)}: `;
    const text = flatText(member, left - key.length);
    return text === undefined ? undefined : key + text;
  });
}

/** The texts of all items between brackets; undefined where they take more than `room`. */
function joined<Item>(
  open: string,
  items: readonly Item[],
  close: string,
  room: number,
  textOf: (item: Item, room: number) => string | undefined,
): string | undefined {
  let line = open;
  for (const [at, item] of items.entries()) {
    if (at > 0) line += ", ";
    const text = textOf(item, room - line.length - close.length);
    if (text === undefined) return undefined;
    line += text;
  }
  return line.length + close.length <= room ? line + close : undefined;
}

/** Several objects or several lists, each with more than one entry: the formatter gives each a line. */
function hasLineEach(items: readonly unknown[]): boolean {
  if (items.length < 2) return false;
  const isList = Array.isArray(items[0]);
  return items.every((item) =>
    Array.isArray(item)
      ? isList && item.length > 1
      : !isList && isPlainObject(item) && membersOf(item).length > 1,
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Members that JSON has. */
function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A text, number, truth value or null. */
function scalarText(value: unknown): string {
  return typeof value === "number"
    ? JSON.stringify(value).replace("e+", "e")
    : (JSON.stringify(value) ?? "null");
}
