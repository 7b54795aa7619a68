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
