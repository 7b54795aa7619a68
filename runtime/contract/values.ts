/** Any value that JSON (RFC 8259) can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/**
 * A decimal number exactly as it was written on the wire, never passed through a float.
 * `JSON.stringify` prints the lexeme as a JSON number, digit for digit.
 */
export interface Decimal {
  readonly lexeme: string;
  toJSON(): unknown;
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Wraps the text of a JSON number. Throws a `RangeError` for any other text: callers pass lexemes a parser accepted. */
export function decimal(lexeme: string): Decimal {
  if (!jsonNumber.test(lexeme)) throw new RangeError("not the text of a JSON number");
  return { lexeme, toJSON };
}

function toJSON(this: Decimal): unknown {
  return JSON.rawJSON(this.lexeme);
}

/** The members that are not undefined: those that may be are optional instead. */
export type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/**
 * Members of `T`, any of which may be undefined: `omitUndefined({ … } satisfies Given<T>)` has no name that `T` does
 * not have. For an object that is spread into another, the compiler would accept any name.
 */
export type Given<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** A copy without the members whose value is undefined: an absent member is left out, never present and undefined. */
export function omitUndefined<T extends object>(members: T): Defined<T>;
export function omitUndefined(members: Readonly<Record<string, unknown>>): object {
  const defined: Record<string, unknown> = {};
  // Each call makes several: by `Object.entries` and `Object.fromEntries` one takes nine times as long.
  for (const name in members) if (members[name] !== undefined) defined[name] = members[name];
  return defined;
}

/** `make`, called once for each object: the value, never `undefined`, lives as long as the object it was made of. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/**
 * A value that goes on whole under the names that it has: `sameNames<From, To>(value)` compiles only where `To` knows
 * each of them. For a value that is not a literal, the compiler would accept any name beside those that fit.
 */
export function sameNames<From extends To & { [Name in Exclude<keyof From, keyof To>]: never }, To>(
  value: From,
): To {
  return value;
}

/** The text of a thrown value: the message of an error; of errors over several addresses, which have none, the first one's. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === "" && thrown.errors.length > 0)
    return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The result of a step that may fail: its value, or the fault. */
export type Outcome<Value, Fault> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

/** The step succeeded. */
export function accepted<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** The step refused. */
export function refused<Fault>(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault };
}
