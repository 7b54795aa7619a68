/** Remembers what was made of what, under a text that says all of the latter. */
export interface Memo<T> {
  of(key: () => string, make: () => T): T;
}

const memos: { turn(): void }[] = [];
let isKeeping = false;

/**
 * Turns memory on, for a process that makes nearly the same things again and again. Off, which is the default,
 * everything is made when it is asked for and no key is computed.
 */
export function keepMemos(): void {
  isKeeping = true;
}

/** Says that a round is over: what neither it nor the one before it has asked for is forgotten. */
export function turnMemos(): void {
  for (const memo of memos) memo.turn();
}

export function createMemo<T>(): Memo<T> {
  let last = new Map<string, { readonly made: T }>();
  let present = new Map<string, { readonly made: T }>();
  memos.push({
    turn() {
      last = present;
      present = new Map();
    },
  });
  return {
    of(key, make) {
      if (!isKeeping) return make();
      const text = key();
      const known = present.get(text) ?? last.get(text) ?? { made: make() };
      present.set(text, known);
      return known.made;
    },
  };
}
