/** A text that was parsed. */
export interface Source {
  readonly text: string;
  /** The texts that `sentText` found in it for each of its objects, once it was asked. */
  texts?: readonly (ReadonlyMap<string, string> | undefined)[];
}

/** A text, and which of its objects and arrays one is: the first, the second … in the order of a walk. */
type Place = readonly [source: Source, at: number];

/** Constructs nothing new: a class that extends it adds its private fields to the object that it is given. */
class Given {
  constructor(holder: object) {
    return holder;
  }
}

/** A parsed object with its place, in a private field: no copy has it, and it costs a tenth of a `WeakMap`'s entry. */
export class Placed extends Given {
  readonly #place: Place;

  constructor(holder: object, place: Place) {
    super(holder);
    this.#place = place;
  }

  /** False for an object that was not parsed. */
  static placeOf(holder: object): Place | false {
    return #place in holder && holder.#place;
  }
}

/** Parses JSON, and remembers where its objects come from: `money.digits` finds there what a double does not hold. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const source = { text };
  let count = 0;
  walk(value, (holder) => new Placed(holder, [source, count++]));
  return value;
}

/** Parses JSON as `parseJson` does, and names the errors whose `code` is a number or digits. `names` has JSON for keys. Codes without a name stay, as text. */
export function namedCodes(names: Readonly<Record<string, string>>): (text: string) => unknown {
  return (text) => {
    const value = parseJson(text);
    const error = isObject<{ error?: unknown }>(value) && value.error;
    if (isObject<{ code?: unknown }>(error) && ["number", "string"].includes(typeof error.code))
      error.code = new Map(Object.entries(names)).get(JSON.stringify(error.code)) ?? String(error.code);
    return value;
  };
}

/** Visits a parsed value's objects and arrays, each before those that it holds. */
export function walk(value: unknown, visit: (holder: object) => unknown): void {
  if (value instanceof Object) {
    visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

/** Whether a parsed value is an object. That its members are as documented is the service's promise. */
export function isObject<T extends object>(value: unknown): value is T {
  return value instanceof Object && !Array.isArray(value);
}
