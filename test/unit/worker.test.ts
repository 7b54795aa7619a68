import { afterEach, describe, expect, test } from "vitest";
import {
  startWaitedWorker,
  startWorker,
  WorkerLostError,
  workerOnDemand,
} from "../../runtime/platform/worker.ts";
import type { Trial } from "./trial-worker.ts";

const module = new URL("trial-worker.ts", import.meta.url);
const data = { start: 1 };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function ending<Thread extends { end(): Promise<void> }>(thread: Thread): Thread {
  ends.push(thread.end);
  return thread;
}

type Answer = number | ArrayBuffer;
const started = (onEnd?: (wasReady: boolean) => void) =>
  ending(startWorker<Trial, Answer, typeof data>(module, { data, ...(onEnd && { onEnd }) }));

describe("a thread", () => {
  test("answers each task its own, in any order, with what it was started with", async () => {
    const thread = started();
    const order: string[] = [];
    const slow = thread.ask({ kind: "later", turns: 50 }).then((sum) => order.push(`later ${String(sum)}`));
    const quick = thread.ask({ kind: "add", to: 2 }).then((sum) => order.push(`add ${String(sum)}`));
    expect(thread.active).toBe(2);
    await Promise.all([slow, quick]);
    expect(order).toEqual(["add 3", "later 3"]);
    expect(thread.active).toBe(0);
  });

  test("refuses the task that it throws at, and answers the others", async () => {
    const thread = started();
    await expect(thread.ask({ kind: "throw", text: "not this one" })).rejects.toThrow("not this one");
    expect(await thread.ask({ kind: "add", to: 1 })).toBe(2);
  });

  test("keeps the process alive only while a task has no answer", async () => {
    const held = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;
    const before = held();
    const thread = started();
    expect(held()).toBe(before);
    const answer = thread.ask({ kind: "add", to: 1 });
    expect(held()).toBeGreaterThan(before);
    await answer;
    expect(held()).toBe(before);
  });

  test("hands large answers over", async () => {
    expect(await started().ask({ kind: "bytes", length: 9 })).toHaveProperty("byteLength", 9);
  });

  test("loses its tasks when it dies, says so, and takes no more", async () => {
    const endings: boolean[] = [];
    const thread = started((wasReady) => endings.push(wasReady));
    await thread.ask({ kind: "add", to: 1 });
    const lost = [thread.ask({ kind: "die" }), thread.ask({ kind: "add", to: 1 })];
    for (const each of lost) await expect(each).rejects.toThrow(WorkerLostError);
    expect(endings).toEqual([true]);
    await expect(thread.ask({ kind: "add", to: 1 })).rejects.toThrow(WorkerLostError);
  });

  test("that is ended refuses what it has not answered", async () => {
    const thread = started();
    const lost = expect(thread.ask({ kind: "later", turns: 1e9 })).rejects.toThrow(WorkerLostError);
    await thread.end();
    await lost;
  });
});

test("a thread on demand starts anew after it was lost", async () => {
  const thread = ending(workerOnDemand<Trial, Answer, typeof data>(module, { data }));
  expect(await thread.ask({ kind: "add", to: 1 })).toBe(2);
  await expect(thread.ask({ kind: "die" })).rejects.toThrow(WorkerLostError);
  expect(await thread.ask({ kind: "add", to: 1 })).toBe(2);
});

test("a thread that is waited for gives its answers at once, and throws what it threw", () => {
  const thread = ending(startWaitedWorker<Trial, Answer, typeof data>(module, { data, waitMs: 60_000 }));
  expect([thread.ask({ kind: "add", to: 1 }), thread.ask({ kind: "add", to: 1 })]).toEqual([2, 3]);
  expect(() => thread.ask({ kind: "throw", text: "no" })).toThrow("no");
  expect(thread.ask({ kind: "later", turns: 3 })).toBe(3);
});
