/** Serialises work per key. */
export interface KeyedLock {
  /** Runs work after all earlier work under the same keys. */
  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createKeyedLock(): KeyedLock {
  const lock = new Map<string, Promise<unknown>>();
  return {
    async run(names, work) {
      const before = Promise.all(names.map((name) => lock.get(name)));
      const done = before.then(work);
      const settled = done.catch(() => undefined);
      for (const name of names) lock.set(name, settled);
      return await done;
    },
  };
}

/** Does work for each item, so many at a time. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, most) }, worker));
}

/** Numbers from 0 up to 1, the same for the same seed. */
type Random = () => number;

/** Mulberry32: small, and good enough to shuffle with. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The items in another order. */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
