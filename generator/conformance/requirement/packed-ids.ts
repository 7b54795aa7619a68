/** Every id that a packed one stands for: each `{a,b}` is each of its words in turn. */
export function unpackedIds(packed: string): readonly string[] {
  const [whole, before = "", words = "", after = ""] = /^([^{]*)\{([^{}]*)\}(.*)$/su.exec(packed) ?? [];
  if (whole === undefined) return [packed];
  const rest = unpackedIds(after);
  return words.split(",").flatMap((word) => rest.map((end) => before + word + end));
}

/** Ids in few words: those that differ in their last part become one, and so do lists whose ends are the same. */
export function packedIds(ids: readonly string[]): readonly string[] {
  const endsOf = grouped(
    ids,
    (id) => id.slice(0, id.lastIndexOf("/") + 1),
    (id) => id.slice(id.lastIndexOf("/") + 1),
  );
  const lists = [...endsOf].map(([start, ends]) => ({ start, ends: braced(ends) }));
  const startsOf = grouped(
    lists,
    ({ start, ends }) => JSON.stringify([head(start), ends]),
    ({ start }) => start.slice(head(start).length, -1),
  );
  return [...startsOf].map(([key, middles]) => {
    const [first, ends]: [string, string] = JSON.parse(key);
    const middle = middles.every((each) => each === "") ? "" : `${braced(middles)}/`;
    return `${first}${middle}${ends}`;
  });
}

/** All but the last part of a start that ends with a slash; nothing of one that has a single part. */
function head(start: string): string {
  return start.slice(0, start.lastIndexOf("/", start.length - 2) + 1);
}

function braced(words: readonly string[]): string {
  const different = [...new Set(words)].toSorted();
  return different.length === 1 ? (different[0] ?? "") : `{${different.join(",")}}`;
}

function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  wordOf: (item: T) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), wordOf(item)]);
  return groups;
}
