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
