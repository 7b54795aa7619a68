/** One example of a method: a request and its answer. */
export interface Example {
  readonly payload: unknown;
  readonly result?: unknown;
  /** The error that it gets, by its name in the spec. */
  readonly error?: string;
}

/** The example that a payload is answered by: one that sends the same payload, or the first that has a result. */
export function exampleOf(examples: readonly Example[] = [], payload?: unknown): Example | undefined {
  return (
    examples.find((one) => isSame(one.payload, payload)) ??
    examples.find(({ result }) => result !== undefined)
  );
}

/** Whether two JSON values are equal; the order of members does not count. */
function isSame(a: unknown, b: unknown): boolean {
  if (!(a instanceof Object && b instanceof Object)) return a === b;
  const others = new Map<string, unknown>(Object.entries(b));
  const members = Object.entries(a);
  return members.length === others.size && members.every(([name, value]) => isSame(value, others.get(name)));
}
