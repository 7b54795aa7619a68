import { createLast, type Last } from "../language/source/once-per.ts";

export { keyOf } from "../language/source/once-per.ts";

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
export function keepMemos(isOn: boolean): void {
  isKeeping = isOn;
}

/** Says that a round is over: what was not asked for in many of them is forgotten. */
export function turnMemos(): void {
  rounds += 1;
  if (rounds % roundsKept === 0) for (const memo of memos) memo.turn();
}

/** How many rounds something is kept at least that none of them has asked for. */
const roundsKept = 50;
let rounds = 0;

/** Remembers of each object the value that was made of it last, as long as the object lives. */
export function createLastMemo<Key extends object, Made>(): Last<Key, Made> {
  const last = createLast<Key, Made>();
  return { of: (thing, key, make) => (isKeeping ? last.of(thing, key, make) : make()) };
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
