/** A queue by owner: owners are served in turns, however much each of them asks for. */
export interface FairQueue<T> {
  readonly size: number;
  /** Gives false, and takes nothing, where the caller or all callers together have too much waiting. */
  push(caller: string, item: T): boolean;
  /** The next item of the caller whose turn it is, of those for whom `mayGo` holds. */
  shift(mayGo: (caller: string) => boolean): Waiting<T> | undefined;
  /** Takes everything out. */
  drain(): readonly T[];
}

export interface Waiting<T> {
  readonly caller: string;
  readonly item: T;
}

export function createFairQueue<T>(bounds: {
  readonly perCallerMax: number;
  readonly totalMax: number;
}): FairQueue<T> {
  /** Whose turn it is comes first. */
  const byCaller = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    push: (caller, item) => {
      const own = byCaller.get(caller) ?? [];
      if (size >= bounds.totalMax || own.length >= bounds.perCallerMax) return false;
      own.push(item);
      byCaller.set(caller, own);
      size += 1;
      return true;
    },
    shift: (mayGo) => {
      for (const [caller, own] of byCaller) {
        if (!mayGo(caller)) continue;
        const item = own.shift();
        byCaller.delete(caller);
        if (own.length > 0) byCaller.set(caller, own);
        if (item === undefined) continue;
        size -= 1;
        return { caller, item };
      }
      return undefined;
    },
    drain: () => {
      const all = [...byCaller.values()].flat();
      byCaller.clear();
      size = 0;
      return all;
    },
  };
}
