/**
 * Every item of a list in the service's order, each once, pages read when they are needed. Each page starts with an
 * item that was already returned. If another item is there, items before it have gone, and earlier pages are read
 * again. So none is skipped that is there from the beginning to the end, whatever comes and goes meanwhile. A page
 * with fewer items than asked for may be all that the service returns at a time. The list ends if nothing new
 * follows, or if two such pages start alike, because the service ignores the page's number. Pages have `wanted`
 * items, at most `sizeMax`.
 */
export async function* everyItem<Item>(
  first: number,
  wanted: number | undefined = Infinity,
  sizeMax: number,
  keyOf: (item: Item | undefined) => unknown,
  read: (page: number, size: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  let start: unknown;
  let repeated = 0;
  for (let [next, largest] = [0, sizeMax]; ;) {
    const usual = Math.min(wanted, largest);
    // The page that also has the item before the next one, and the most items after it; else the next page.
    let [page, size, most] = [next / usual, usual, 0];
    for (let one = 1; one <= largest; one++) {
      const at = Math.floor((next - 1) / one);
      const more = Math.min(usual, (at + 1) * one - next);
      if (more > most) [page, size, most] = [at, one, more];
    }
    const items = await read(first + page, size);
    if (most && !seen.has(keyOf(items[0]))) next = Math.max(0, next - size);
    else {
      const before = seen.size;
      for (const item of items) {
        if (!seen.has(keyOf(item))) yield item;
        seen.add(keyOf(item));
      }
      const isKnown = seen.size === before;
      if (isKnown && items.length < size) return;
      repeated = isKnown && keyOf(items[0]) === start ? repeated + 1 : 0;
      // Where items come before it meanwhile, a page may start as the one before: not with all there is, nor twice in a row.
      if (repeated > (items.length < seen.size ? 1 : 0)) return;
      start = isKnown ? keyOf(items[0]) : undefined;
      if (items.length < size) largest = items.length;
      next = page * size + items.length;
    }
  }
}

/**
 * Every item of every page, where nothing tells items apart. A first page with fewer items than asked for may be all
 * that the service returns at a time. Then pages of that size are read until one is not full. A page that equals the
 * one before ends the list, and so does the third full one: a service that ignores the page's number returns nothing
 * else.
 */
export async function* everyPage<Item>(
  first: number,
  full: number,
  read: (page: number, size: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void, undefined> {
  let [last, repeated] = ["", 0];
  for (let [page, size] = [0, full]; ; page++) {
    const items = await read(first + page, size);
    const text = JSON.stringify(items, (_name, value) => (typeof value === "bigint" ? `${value}` : value));
    repeated = text === last ? repeated + 1 : 0;
    if (repeated > (size < full || items.length < size ? 0 : 2)) return;
    last = text;
    yield* items;
    if (items.length < size) {
      if (page || !items.length) return;
      size = items.length;
    }
  }
}

/** Lets a list end where the service answers with the error that says that a page has no items. */
export function endsWith(code: string | number): (thrown: unknown) => undefined {
  return (thrown) => {
    if (Object(thrown).code !== code) throw thrown;
  };
}

/**
 * Every item of every page, each page asked for by the cursor that the one before it gave. The list ends if a page
 * has no cursor, an empty one, or one that came before, because the service ignores it.
 */
export async function* everyCursor<Item, Cursor>(
  read: (
    cursor: Cursor | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: Cursor | null | undefined }>,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<unknown>();
  for (let cursor: Cursor | undefined; ;) {
    const { items, next } = await read(cursor);
    yield* items;
    if (next === undefined || next === null || next === "" || given.has(next)) return;
    given.add(next);
    cursor = next;
  }
}
