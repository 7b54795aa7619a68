import { expect, test } from "vitest";
import { createFairQueue, hasShare, shareOf } from "../../runtime/contract/queues.ts";

const anyone = () => true;

test("callers are served in turns, however much one of them asks for", () => {
  const queue = createFairQueue<number>({ perCallerMax: 9, totalMax: 9 });
  for (const item of [1, 2, 3]) queue.push("busy", item);
  queue.push("other", 10);
  queue.push("third", 20);
  queue.push("other", 11);
  const served = Array.from({ length: 7 }, () => queue.shift(anyone)?.item);
  expect(served).toEqual([1, 10, 20, 2, 11, 3, undefined]);
  expect(queue.size).toBe(0);
});

test("who may not go keeps its place, and holds up nobody", () => {
  const queue = createFairQueue<number>({ perCallerMax: 9, totalMax: 9 });
  queue.push("held", 1);
  queue.push("free", 2);
  expect(queue.shift((caller) => caller !== "held")).toEqual({ caller: "free", item: 2 });
  expect(queue.shift((caller) => caller !== "held")).toBeUndefined();
  expect(queue.shift(anyone)).toEqual({ caller: "held", item: 1 });
});

test("a caller may have so many waiting, and all callers together so many", () => {
  const queue = createFairQueue<number>({ perCallerMax: 2, totalMax: 3 });
  expect([queue.push("a", 1), queue.push("a", 2), queue.push("a", 3)]).toEqual([true, true, false]);
  expect([queue.push("b", 4), queue.push("c", 5)]).toEqual([true, false]);
  expect(queue.shift(anyone)?.item).toBe(1);
  expect(queue.push("c", 6)).toBe(true);
  expect(queue.size).toBe(3);
  expect(queue.drain().toSorted()).toEqual([2, 4, 6]);
  expect([queue.size, queue.shift(anyone)]).toEqual([0, undefined]);
});

test.each([
  [0, 8, 7],
  [7, 1, 0],
  [6, 1, 1],
  [0, 1, 1],
  [0, 0, 0],
  [5, 0, 0],
  [0, 8_192, 7_168],
  [100, 8_092, 7_068],
])("who holds %i of what has %i left may take %i more, and one by one no more", (held, left, more) => {
  expect(shareOf(held, left)).toBe(more);
  let taken = 0;
  while (hasShare(held + taken, left - taken)) taken += 1;
  expect(taken).toBe(more);
});
