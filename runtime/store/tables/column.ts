import { createHash } from "node:crypto";

/** The type of a column, in terms that every SQL database has. Amounts are `bigint`, times are milliseconds. */
export type ColumnType = "text" | "bigint" | "integer" | "boolean" | "json" | "time";

/** A value on its way to or from a column. JSON travels as text; an absent value is `null`. */
export type ColumnValue = string | bigint | number | boolean | null;

/** The whole text, or the parts of it that a function finds: it gives the text with each of them put through `map`. */
export type SealedPart = "whole" | ((text: string, map: (part: string) => string) => string);

/** How one field of a record is kept. */
export interface Column<T> {
  /** Its SQL name. */
  readonly name: string;
  readonly type: ColumnType;
  /** Whether records may lack the field. */
  readonly optional: boolean;
  /** The part of its texts that is sealed at rest, by an adapter that keeps them beyond the process. */
  readonly sealed?: SealedPart;
  /** The part of its texts that whoever writes the record has sealed. */
  readonly holdsSealed?: SealedPart;
  /** The only values that a database takes, where it checks them. */
  readonly words?: readonly string[];
  /** The value of a row that gives none. */
  readonly standard?: string | number | boolean;
  /** Throws a `RangeError` if no store could give the value back unchanged. */
  encode(value: T): ColumnValue;
  /** Throws if the stored value cannot have been written by `encode`. */
  decode(value: ColumnValue): T;
}

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** Text of any length. Lone surrogates are refused: no database keeps them. */
export function text(name: string): Column<string> {
  return {
    name,
    type: "text",
    optional: false,
    encode: (value) => wellFormed(name, value),
    decode: (value) => (typeof value === "string" ? value : unreadable(name)),
  };
}

/** Text that is one of a few words. An embedded database checks it, too. */
export function oneOf<const Word extends string>(name: string, words: readonly Word[]): Column<Word> {
  return { ...oneOfMore(name, words), words };
}

/** The same where later versions may have more words: no database checks it. */
export function oneOfMore<const Word extends string>(name: string, words: readonly Word[]): Column<Word> {
  const known = new Map<ColumnValue, Word>(words.map((word) => [word, word]));
  return {
    name,
    type: "text",
    optional: false,
    encode: (value) => known.get(value) ?? outOfRange(name, `one of ${words.join(", ")}`),
    decode: (value) => known.get(value) ?? unreadable(name),
  };
}

/** An amount in minor units: a signed 64-bit integer. */
export function amount(name: string): Column<bigint> {
  return {
    name,
    type: "bigint",
    optional: false,
    encode: (value) =>
      value >= int64Min && value <= int64Max ? value : outOfRange(name, "a signed 64-bit integer"),
    decode: (value) => (typeof value === "bigint" ? value : unreadable(name)),
  };
}

/** A small count. */
export function count(name: string): Column<number> {
  return integer(name, "integer");
}

/** Milliseconds since the Unix epoch. */
export function time(name: string): Column<number> {
  return integer(name, "time");
}

export function flag(name: string): Column<boolean> {
  return {
    name,
    type: "boolean",
    optional: false,
    encode: (value) => value,
    decode: (value) => (typeof value === "boolean" ? value : unreadable(name)),
  };
}

/** A document that no query looks into, kept as JSON text. Holds neither `bigint` nor `undefined` items. */
export function json<T extends object>(name: string): Column<T> {
  return {
    name,
    type: "json",
    optional: false,
    encode: (value) => wellFormed(name, JSON.stringify(value)),
    decode: (value): T => (typeof value === "string" ? JSON.parse(value) : unreadable(name)),
  };
}

/** A column over another type than the field's. */
export function mapped<T, Kept>(
  column: Column<Kept>,
  map: { readonly toKept: (value: T) => Kept; readonly fromKept: (kept: Kept) => T },
): Column<T> {
  return {
    ...column,
    encode: (value) => column.encode(map.toKept(value)),
    decode: (value) => map.fromKept(column.decode(value)),
  };
}

/** The same column where records may lack the field. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return {
    ...column,
    optional: true,
    encode: (value) => (value === undefined ? null : column.encode(value)),
    decode: (value) => (value === null ? undefined : column.decode(value)),
  };
}

/** The same column with a value for rows that give none: those of statements that know nothing of it. */
export function defaulting<T>(column: Column<T>, standard: string | number | boolean): Column<T> {
  return { ...column, standard };
}

/** The same column, sealed at rest: for personal data. No query compares it. */
export function sealed<T>(column: Column<T>, part: SealedPart = "whole"): Column<T> {
  return { ...column, sealed: part };
}

/** The same column, whose texts are sealed before they are written, or a part of them. */
export function holdingSealed<T>(column: Column<T>, part: SealedPart = "whole"): Column<T> {
  return { ...column, holdsSealed: part };
}

/** A text that is compared and never read again, such as a one-time token: its SHA-256 is kept, in hexadecimal digits. */
export function hashed(name: string): Column<string> {
  const column = text(name);
  return { ...column, encode: (value) => hashOf(String(column.encode(value))) };
}

/** The hash that a `hashed` column keeps of a text. */
export function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}

function integer(name: string, type: "integer" | "time"): Column<number> {
  return {
    name,
    type,
    optional: false,
    encode: (value) => (Number.isSafeInteger(value) ? value : outOfRange(name, "an integer")),
    decode: (value) => (typeof value === "number" ? value : unreadable(name)),
  };
}

function wellFormed(name: string, value: string): string {
  return value.isWellFormed() ? value : outOfRange(name, "text without lone surrogates");
}

function outOfRange(name: string, expected: string): never {
  throw new RangeError(`column ${name} takes ${expected}`);
}

function unreadable(name: string): never {
  throw new Error(`column ${name} holds what this program never writes: the stored record is damaged`);
}
