/** A queue by owner: owners are served in turns, however much each of them asks for. */
export interface FairQueue<T> {
  readonly size: number;
  /** Gives false, and takes nothing, where the caller or all callers together have too much waiting. */
  push(caller: string, item: T): boolean;
  /** The next item of the caller whose turn it is, of those for whom `mayGo` holds. `first` waits longest of the caller's. */
  shift(mayGo: (caller: string, first: T) => boolean): Waiting<T> | undefined;
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
        const [item] = own;
        if (item === undefined || !mayGo(caller, item)) continue;
        own.shift();
        byCaller.delete(caller);
        if (own.length > 0) byCaller.set(caller, own);
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

/** Callers hold at most so many times what is left: one alone seven eighths, and others always find some. */
const heldOfLeft = 7;

/** How much more a caller who holds so much may take of what is left. */
export function shareOf(held: number, left: number): number {
  return Math.max(0, Math.ceil((heldOfLeft * left - held) / (heldOfLeft + 1)));
}

/** Whether a caller who holds so much may take one more of what is left. */
export function hasShare(held: number, left: number): boolean {
  return shareOf(held, left) > 0;
}

/** Counts by name. A name whose count is 0 takes no memory. */
export interface Counts {
  of(name: string): number;
  add(name: string, by: number): void;
}

export function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    of: (name) => counts.get(name) ?? 0,
    add(name, by) {
      const now = (counts.get(name) ?? 0) + by;
      if (now === 0) counts.delete(name);
      else counts.set(name, now);
    },
  };
}

/** A first-in, first-out queue whose operations take constant time. */
export interface Fifo<T> {
  readonly length: number;
  push(item: T): void;
  /** The oldest item; undefined if empty. */
  shift(): T | undefined;
  peek(): T | undefined;
  clear(): void;
}

const compactedAt = 256;

export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = [];
  let head = 0;

  return {
    get length() {
      return items.length - head;
    },
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head === items.length || (head >= compactedAt && head * 2 >= items.length)) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    peek: () => items[head],
    clear() {
      items = [];
      head = 0;
    },
  };
}
