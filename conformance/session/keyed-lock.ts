/** Lets things that share something happen one after the other. */
export interface Lanes {
  /** Runs work when everything earlier on these lanes is done. */
  on<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Promise<unknown>>();
  return {
    async on(names, work) {
      const before = Promise.all(names.map((name) => lanes.get(name)));
      const done = before.then(work);
      const settled = done.catch(() => undefined);
      for (const name of names) lanes.set(name, settled);
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
