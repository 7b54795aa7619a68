/** Every id that a packed one stands for: each `{a,b}` is each of its words in turn. */
export function unpackedIds(packed: string): readonly string[] {
  const [whole, before = "", words = "", after = ""] = /^([^{]*)\{([^{}]*)\}(.*)$/su.exec(packed) ?? [];
  if (whole === undefined) return [packed];
  const rest = unpackedIds(after);
  return words.split(",").flatMap((word) => rest.map((end) => before + word + end));
}

/** Ids in few words: those that differ in one part become one, from the last part to the first. */
export function packedIds(ids: readonly string[]): readonly string[] {
  const lengths = Map.groupBy([...new Set(ids)], (id) => id.split("/").length);
  return [...lengths].flatMap(([length, alike]) => {
    let packed: readonly (readonly string[])[] = alike.map((id) => id.split("/"));
    for (let at = length - 1; at >= 0; at -= 1) packed = mergedAt(at, packed);
    return packed.map((parts) => parts.join("/"));
  });
}

/** Ids that are the same but for one part, as one id. */
function mergedAt(at: number, ids: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(ids, (parts) => JSON.stringify(parts.toSpliced(at, 1)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [first.with(at, braced(group.map((parts) => parts[at] ?? "")))];
  });
}

function braced(words: readonly string[]): string {
  const [only = "", ...more] = words.toSorted();
  return more.length === 0 ? only : `{${[only, ...more].join(",")}}`;
}
