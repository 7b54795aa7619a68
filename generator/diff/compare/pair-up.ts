/** The parts of one kind in two revisions, in pairs. */
export interface Pairs<T> {
  readonly pairs: readonly Pair<T>[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

export interface Pair<T> {
  readonly old: T;
  readonly new: T;
}

export interface Naming<T> {
  readonly nameOf: (item: T) => string;
  /** The name that a new thing says it had. */
  readonly pastNameOf?: (item: T) => string | undefined;
  /** Other signs that an old thing, whose name is gone, is this new one: they share a key. In turn. */
  readonly alike?: readonly ((item: T, side: "old" | "new") => readonly string[])[];
}

/** Pairs what has the same name, then what says that it had the name, then what is alike. Pairs are in the new order. */
export function pairUp<T>(
  oldItems: readonly T[],
  newItems: readonly T[],
  { nameOf, pastNameOf = () => undefined, alike = [] }: Naming<T>,
): Pairs<T> {
  const matched = new Map<T, T>();
  const left = new Set(oldItems);
  const pair = (recent: T, old: T | undefined): void => {
    if (old === undefined) return;
    matched.set(recent, old);
    left.delete(old);
  };
  const matchNames = (wantedOf: (recent: T) => string | undefined): void => {
    const byName = Map.groupBy(left, nameOf);
    for (const recent of newItems) {
      const name = matched.has(recent) ? undefined : wantedOf(recent);
      if (name !== undefined) pair(recent, byName.get(name)?.shift());
    }
  };
  matchNames(nameOf);
  matchNames(pastNameOf);
  const order = new Map(oldItems.map((old, at) => [old, at]));
  for (const keysOf of alike) {
    // From the last to the first: the first is taken from the end.
    const byKey = new Map<string, T[]>();
    for (const old of [...left].toReversed())
      for (const key of keysOf(old, "old")) {
        const held = byKey.get(key);
        if (held === undefined) byKey.set(key, [old]);
        else held.push(old);
      }
    const firstOf = (key: string): readonly T[] => {
      const held = byKey.get(key) ?? [];
      for (let old = held.at(-1); old !== undefined; old = held.at(-1)) {
        if (left.has(old)) return [old];
        held.pop();
      }
      return [];
    };
    for (const recent of newItems) {
      if (matched.has(recent)) continue;
      const [first] = keysOf(recent, "new")
        .flatMap(firstOf)
        .toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      pair(recent, first);
    }
  }
  return {
    pairs: newItems.flatMap((recent) => {
      const old = matched.get(recent);
      return old === undefined ? [] : [{ old, new: recent }];
    }),
    removed: oldItems.filter((old) => left.has(old)),
    added: newItems.filter((recent) => !matched.has(recent)),
  };
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}
