/**
 * Every item of a list in the service's order, each once, pages read when they are needed. Each page starts with an item
 * that was given already: where that is another one, items before it have gone, and earlier pages are read again. So
 * none is skipped that is there from the beginning to the end, whatever comes and goes meanwhile. A page with fewer items than
 * asked for may be all that the service gives at a time: the list ends where nothing new is behind it, and where two pages with
 * nothing new start alike, because the service takes no notice of the page's number. Pages have `wanted` items, at most `sizeMax`.
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
    // The page that has the item before the next one too, and the most behind it; the next one where there is none.
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
 * Every item of every page, where nothing tells items apart. A first page with fewer items than asked for may be all that
 * the service gives at a time: pages of that size are read then, until one is not full. One that is the same as the page
 * before it ends the list, and the third full one does: a service that takes no notice of the page's number gives nothing else.
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
 * Every item of every page, each page asked for by the cursor that the one before it gave. The list ends where a page gives none,
 * or an empty one; and where it gives one that was given before, because the service takes no notice of it.
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
