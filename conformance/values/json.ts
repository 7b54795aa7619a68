import type { Edit } from "../suite/case.ts";

/** The value of a JSON text; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object: no array, not null. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of a JSON object, or an item of an array; undefined if it is absent. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const own = Object.getOwnPropertyDescriptor(value, name);
  return own?.enumerable === true ? own.value : undefined;
}

/** The way from a value to a part of it: property names and array indexes. */
export type JsonPath = readonly (string | number)[];

/** The part of a value at a path; undefined if there is none. */
export function partAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((part, step) => memberOf(part, String(step)), value);
}

/** Whether an object has a value at the end of a path of names. */
export function leadsTo(value: unknown, path: readonly string[]): boolean {
  return isJsonObject(value) && partAt(value, path) !== undefined;
}

/** A path as people read it: `account.legalReps[0].ID`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`))
    .join("");
}

/** A name as a step of a JSON Pointer (RFC 6901). */
export function escaped(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

export function pointerOf(path: JsonPath): string {
  return path.map((step) => `/${escaped(String(step))}`).join("");
}

export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON Pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return partAt(value, stepsOf(pointer));
}

/** A copy of a value with edits made, one after the other. What leads nowhere changes nothing. */
export function edited(value: unknown, edits: readonly Edit[] = []): unknown {
  return edits.reduce((current, edit) => editedAt(current, stepsOf(edit.at), edit), value);
}

/** Stands for no value at all: putting it somewhere removes the property. */
export const absent = Symbol("absent");

/** A copy of a value with one part replaced, added or, by `absent`, removed. */
export function replacedAt(value: unknown, path: JsonPath, part: unknown): unknown {
  return editedAt(value, path, part === absent ? { op: "omit" } : { op: "set", value: part });
}

/** An edit, wherever it is made. */
type Change = Edit extends infer Each ? (Each extends Edit ? Omit<Each, "at"> : never) : never;

function editedAt(value: unknown, [step, ...rest]: JsonPath, edit: Change): unknown {
  if (step === undefined) return edit.op === "set" ? edit.value : value;
  if (Array.isArray(value))
    return value.map((item, index) => (index === Number(step) ? editedAt(item, rest, edit) : item));
  const members = isJsonObject(value) ? Object.entries(value) : [];
  const name = String(step);
  const at = members.findIndex(([each]) => each === name);
  if (edit.op === "rename" && rest.length === 0 && at < 0) return value;
  const present: unknown = members[at]?.[1];
  const changed: [string, unknown][] =
    rest.length > 0 || edit.op === "set"
      ? [[name, editedAt(present, rest, edit)]]
      : edit.op === "rename"
        ? [[edit.to, present]]
        : [];
  return Object.fromEntries(members.toSpliced(at < 0 ? members.length : at, 1, ...changed));
}

/** How JSON may be written: all of these are the same value. */
export type TextStyle = "canonical" | "spaced" | "reversed" | "escaped";

/** RFC 8785 (JCS): members in the order of UTF-16 code units, no blanks. Every other way to get at the bytes agrees. */
export function canonicalText(value: unknown): string {
  return jsonText(value, "canonical");
}

/** A value written in one of the styles. */
export function jsonText(value: unknown, style: TextStyle): string {
  return print(value, styles[style]);
}

interface Style {
  keys(names: readonly string[]): readonly string[];
  readonly gap: string;
  text(value: string): string;
}

const inOrder: Style = { keys: (names) => names.toSorted(), gap: "", text: JSON.stringify };
const styles: Readonly<Record<TextStyle, Style>> = {
  canonical: inOrder,
  spaced: { ...inOrder, keys: (names) => names, gap: " " },
  reversed: { ...inOrder, keys: (names) => names.toSorted().toReversed(), gap: "\n\t" },
  escaped: { ...inOrder, text: escapedText },
};

function print(value: unknown, style: Style): string {
  const { gap } = style;
  if (Array.isArray(value)) return `[${value.map((item) => gap + print(item, style)).join(",")}${gap}]`;
  if (typeof value === "object" && value !== null) {
    const members = style
      .keys(Object.keys(value))
      .map((name) => `${gap}${JSON.stringify(name)}${gap}:${gap}${print(memberOf(value, name), style)}`);
    return `{${members.join(",")}${gap}}`;
  }
  return typeof value === "string" ? style.text(value) : JSON.stringify(value);
}

/** The first letter or digit written as an escape. */
function escapedText(value: string): string {
  return JSON.stringify(value).replace(
    /[A-Za-z0-9]/,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
