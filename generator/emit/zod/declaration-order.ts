/** Something declared that refers to others. */
export interface Declared {
  readonly name: string;
  readonly refersTo: readonly string[];
}

/** Everything after what it refers to, as far as circles allow; otherwise in the order given. */
export function declarationOrder<Item extends Declared>(items: readonly Item[]): readonly Item[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const visited = new Set<string>();
  const ordered: Item[] = [];
  const visit = (item: Item): void => {
    if (visited.has(item.name)) return;
    visited.add(item.name);
    for (const name of item.refersTo) {
      const target = byName.get(name);
      if (target !== undefined) visit(target);
    }
    ordered.push(item);
  };
  for (const item of items) visit(item);
  return ordered;
}
