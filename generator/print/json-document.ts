import { widthMax } from "./layout.ts";
import { createLastMemo, createMemo } from "./memo.ts";

/**
 * The text of a JSON file: members in the order given, laid out as the formatter does it, which puts on one line what
 * fits there; but the document itself has a member a line. Where only the formatter knows what fits, the lines are left
 * to it.
 */
export function jsonDocument(value: unknown): string {
  return jsonLines(value).text;
}

/** The same, and whether its lines are broken: not where that depends on how wide a character is which is no letter. */
export function jsonLines(value: unknown): { readonly text: string; readonly isLaidOut: boolean } {
  const isRoot = isPlainObject(value) && membersOf(value).length > 0;
  try {
    const text = `${isRoot ? brokenObject(value, "") : laidOut(value, "", widthMax)}\n`;
    return { text, isLaidOut: true };
  } catch (cause) {
    if (!(cause instanceof UnknownWidth)) throw cause;
    return { text: `${JSON.stringify(value).replace(/^\{(?!\})/, "{\n")}\n`, isLaidOut: false };
  }
}

class UnknownWidth extends Error {}

/** Characters that are not known to be as wide as a letter. */
const ofOtherWidth = /[^\n\x20-\x7E¡-¨ª-¬¯-ɏ‐‒-‧‰-※€]/;
const allOfOtherWidth = new RegExp(ofOtherWidth, "g");

/** How many columns a text takes. */
type WidthOf = (text: string) => number;
const narrowestOf: WidthOf = (text) => text.length - otherCharacters(text);

function otherCharacters(text: string): number {
  return ofOtherWidth.test(text) ? text.length - text.replaceAll(allOfOtherWidth, "").length : 0;
}

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
  let isUnsure = false;
  const widestOf: WidthOf = (text) => {
    const others = otherCharacters(text);
    isUnsure ||= others > 0;
    return text.length + others;
  };
  const flat = flatText(value, room, widestOf);
  if (flat !== undefined) return flat;
  if (isUnsure && flatText(value, room, narrowestOf) !== undefined) throw new UnknownWidth();
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
  if (ofOtherWidth.test(beginning)) throw new UnknownWidth();
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
function flatText(value: unknown, room: number, widthOf: WidthOf): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (hasLineEach(value)) return undefined;
    return joined("[", value, "]", room, widthOf, (item, left) => flatText(item, left, widthOf));
  }
  if (!isPlainObject(value)) {
    const text = scalarText(value);
    return widthOf(text) <= room ? text : undefined;
  }
  const members = membersOf(value);
  if (members.length === 0) return "{}";
  return joined("{ ", members, " }", room, widthOf, ([name, member], left) => {
    const key = `${JSON.stringify(name)}: `;
    const text = flatText(member, left - widthOf(key), widthOf);
    return text === undefined ? undefined : key + text;
  });
}

/** The texts of all items between brackets; undefined where they take more than `room`. */
function joined<Item>(
  open: string,
  items: readonly Item[],
  close: string,
  room: number,
  widthOf: WidthOf,
  textOf: (item: Item, room: number) => string | undefined,
): string | undefined {
  let line = open;
  for (const [at, item] of items.entries()) {
    if (at > 0) line += ", ";
    const text = textOf(item, room - widthOf(line) - close.length);
    if (text === undefined) return undefined;
    line += text;
  }
  return widthOf(line) + close.length <= room ? line + close : undefined;
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
