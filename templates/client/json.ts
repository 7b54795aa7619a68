/** A text that was parsed. */
export interface Source {
  readonly text: string;
  /** What `sentText` found in it for each of its objects, once it was asked. */
  texts?: readonly (ReadonlyMap<string, string> | undefined)[];
}

/** A text, and which of its objects and arrays one is: the first, the second … in the order of a walk. */
type Place = readonly [source: Source, at: number];

const places = new WeakMap<object, Place>();

/** Parses JSON, and remembers where its objects come from: `money.digits` finds there what a double does not hold. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const source = { text };
  let count = 0;
  walk(value, (holder) => places.set(holder, [source, count++]));
  return value;
}

/** Visits a parsed value's objects and arrays, each before those that it holds. */
export function walk(value: unknown, visit: (holder: object) => void): void {
  if (value instanceof Object) {
    visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

/** Where an object comes from; undefined if it is not one that was parsed. */
export function placeOf(holder: object): Place | undefined {
  return places.get(holder);
}

/** Whether a parsed value is an object. That its members are as documented is the service's promise. */
export function isObject<T extends object>(value: unknown): value is T {
  return value instanceof Object && !Array.isArray(value);
}
