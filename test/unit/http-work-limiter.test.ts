import { describe, expect, test } from "vitest";
import { countedAddress, isLoopback } from "../../runtime/contract/address.ts";
import { createFifo } from "../../runtime/contract/queues.ts";
import { gatherBytes } from "../../runtime/transport/http/bodies.ts";
import {
  createServiceRate,
  createWorkLimiter,
  type WorkLimiter,
} from "../../runtime/operations/http/limiter.ts";
import type { Permit } from "../../runtime/transport/http/endpoint.ts";
import { timersByHand } from "../timers-by-hand.ts";

/** Enters, and notes under a name when the permit came, or that it was refused. Gives what ends the call. */
function enter(limiter: WorkLimiter, pipelined: boolean, name: string, log: string[]): () => void {
  let held: Permit | undefined;
  const run = async (): Promise<void> => {
    const permit = await limiter.enter(pipelined);
    log.push(permit === "overloaded" ? `${name} refused` : name);
    if (permit !== "overloaded") held = permit;
  };
  void run();
  return () => held?.leave();
}

/** A call whose user is known at once. Notes when it may go on, or that it was refused; gives what ends it. */
function call(limiter: WorkLimiter, userName: string, log: string[], pipelined = false): () => void {
  let held: Permit | undefined;
  const run = async (): Promise<void> => {
    const permit = await limiter.enter(pipelined);
    if (permit === "overloaded") return void log.push(`${userName} overloaded`);
    held = permit;
    log.push((await permit.identify(userName)) ? userName : `${userName} refused`);
  };
  void run();
  return () => held?.leave();
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("permits", () => {
  test("no more calls are worked on than there are permits; the rest goes in order", async () => {
    const limiter = createWorkLimiter({ requestsMax: 2 });
    const log: string[] = [];
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => enter(limiter, false, name, log));
    await settle();
    expect(log).toEqual(["a", "b"]);
    expect(limiter.load()).toMatchObject({ inFlight: 2, waiting: 2 });
    a?.();
    await settle();
    expect(log).toEqual(["a", "b", "c"]);
    b?.();
    await settle();
    c?.();
    d?.();
    await settle();
    expect(log).toEqual(["a", "b", "c", "d"]);
    expect(limiter.load()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test("a call on its own goes ahead of pipelined ones, which are not starved", async () => {
    const limiter = createWorkLimiter({ requestsMax: 1 });
    const log: string[] = [];
    const ends = [enter(limiter, false, "first", log)];
    for (let n = 0; n < 3; n += 1) ends.push(enter(limiter, true, "pipelined", log));
    for (let n = 0; n < 8; n += 1) ends.push(enter(limiter, false, "single", log));
    for (let n = 0; n < 12; n += 1) {
      await settle();
      ends.forEach((end) => end());
    }
    expect(log.slice(1, 9)).toEqual([
      "single",
      "single",
      "single",
      "pipelined",
      "single",
      "single",
      "single",
      "pipelined",
    ]);
    expect(log.filter((name) => name === "pipelined")).toHaveLength(3);
  });

  test("pipelined calls leave permits for others", async () => {
    const limiter = createWorkLimiter({ requestsMax: 16 });
    const log: string[] = [];
    for (let n = 0; n < 50; n += 1) enter(limiter, true, "pipelined", log);
    enter(limiter, false, "single", log);
    await settle();
    expect(log).toEqual(["pipelined", "pipelined", "single"]);
  });
});

describe("the share of a user", () => {
  const of = (log: readonly string[], name: string): number => log.filter((each) => each === name).length;

  test("one user holds seven eighths of the permits, however many calls; others go on at once", async () => {
    const limiter = createWorkLimiter({ requestsMax: 128 });
    const log: string[] = [];
    const ends = Array.from({ length: 300 }, () => call(limiter, "greedy", log));
    await settle();
    expect(log).toHaveLength(112);
    expect(limiter.load()).toMatchObject({ inFlight: 112, waiting: 188 });
    const others = Array.from({ length: 50 }, (_, n) => call(limiter, `other ${n % 2}`, log));
    await settle();
    expect([of(log, "other 0"), of(log, "other 1")]).toEqual([8, 7]);
    for (let n = 0; n < 40; n += 1) {
      [...others, ...ends].forEach((end) => end());
      await settle();
    }
    expect(log.toSorted()).toEqual([
      ...Array.from({ length: 300 }, () => "greedy"),
      ...Array.from({ length: 25 }, () => "other 0"),
      ...Array.from({ length: 25 }, () => "other 1"),
    ]);
    expect(limiter.load()).toEqual({ inFlight: 0, waiting: 0, pipelinedWaiting: 0, bodyBytes: 0 });
  });

  test("calls beyond it and new ones take turns for a permit that comes free; who holds less goes first", async () => {
    const limiter = createWorkLimiter({ requestsMax: 128 });
    const log: string[] = [];
    const greedy = Array.from({ length: 115 }, () => call(limiter, "a", log));
    await settle();
    for (let n = 0; n < 17; n += 1) call(limiter, "b", log);
    await settle();
    expect([of(log, "a"), of(log, "b"), limiter.load().waiting]).toEqual([112, 14, 6]);
    log.length = 0;
    for (let n = 0; n < 5; n += 1) enter(limiter, false, "new", log);
    await settle();
    expect(log).toEqual(["new", "new"]);
    log.length = 0;
    for (const end of greedy.slice(0, 6)) {
      end();
      await settle();
    }
    expect(log.slice(0, 2).toSorted()).toEqual(["b", "new"]);
    expect(log.slice(2)).toEqual([...log.slice(0, 2), ...log.slice(0, 2)]);
    greedy.forEach((end) => end());
    await settle();
    expect(log.slice(6)).toEqual(["a", "a", "a"]);
  });

  test("a call that waits for it holds no place of pipelined calls", async () => {
    const limiter = createWorkLimiter({ requestsMax: 16 });
    const log: string[] = [];
    for (let n = 0; n < 14; n += 1) call(limiter, "greedy", log);
    await settle();
    for (let n = 0; n < 5; n += 1) call(limiter, "greedy", log, true);
    call(limiter, "other", log, true);
    await settle();
    expect(log.slice(14)).toEqual(["other"]);
    expect(limiter.load()).toMatchObject({ inFlight: 15, waiting: 5, pipelinedWaiting: 0 });
  });

  test("a call that waits for it in a stall is refused after a while, and takes nobody's permit", async () => {
    const { pass } = timersByHand();
    let nowMs = 0;
    const limiter = createWorkLimiter({ requestsMax: 8, queueMaxMs: 100, nowMs: () => nowMs });
    const log: string[] = [];
    const ends = Array.from({ length: 8 }, () => call(limiter, "greedy", log));
    await settle();
    expect(log).toHaveLength(7);
    for (let n = 0; n < 3; n += 1) {
      nowMs += 51;
      pass(50);
      await settle();
    }
    expect(log).toHaveLength(7);
    nowMs += 51;
    pass(50);
    await settle();
    expect(log.slice(7)).toEqual(["greedy refused"]);
    // The next is refused at once: nothing of this user comes to an end.
    ends.push(call(limiter, "greedy", log));
    await settle();
    expect(limiter.load()).toMatchObject({ inFlight: 7 });
    ends.forEach((end) => end());
    await settle();
    expect(limiter.load()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test("a permit that comes after its call has ended is given back", async () => {
    const limiter = createWorkLimiter({ requestsMax: 8 });
    const log: string[] = [];
    const ends = Array.from({ length: 8 }, () => call(limiter, "greedy", log));
    await settle();
    ends.at(-1)?.();
    ends[0]?.();
    await settle();
    expect(limiter.load()).toMatchObject({ inFlight: 6, waiting: 0 });
  });
});

describe("the queue", () => {
  test("a call that would wait too long is refused at once", async () => {
    let nowMs = 0;
    const limiter = createWorkLimiter({ requestsMax: 1, queueMaxMs: 100, nowMs: () => nowMs });
    const log: string[] = [];
    const [first] = [0, 1, 2, 3].map((n) => enter(limiter, false, `call ${n}`, log));
    await settle();
    nowMs = 100;
    first?.();
    // One call in 100 ms: two wait, a third would be served after 300 ms.
    expect(limiter.enter(false)).toBe("overloaded");
    await settle();
    expect(log).toEqual(["call 0", "call 1"]);
  });

  test("a call that can be served in time waits, up to the last millisecond of it", async () => {
    let nowMs = 0;
    const limiter = createWorkLimiter({ requestsMax: 1, queueMaxMs: 200, nowMs: () => nowMs });
    const log: string[] = [];
    const [first] = [0, 1, 2].map((n) => enter(limiter, false, `call ${n}`, log));
    await settle();
    nowMs = 100;
    first?.();
    // One call in 100 ms, and one waits: the next is served after 200 ms, and the one behind it too late.
    expect(limiter.enter(false)).toBeInstanceOf(Promise);
    expect(limiter.enter(false)).toBe("overloaded");
  });

  test("a burst is queued before anything was measured", () => {
    const limiter = createWorkLimiter({ requestsMax: 1 });
    const admissions = Array.from({ length: 1000 }, () => limiter.enter(false));
    expect(admissions.filter((admission) => admission === "overloaded")).toEqual([]);
  });

  test("in a stall newcomers are refused at once, and those that wait after a while", async () => {
    const { pass } = timersByHand();
    let nowMs = 0;
    const limiter = createWorkLimiter({ requestsMax: 1, queueMaxMs: 100, nowMs: () => nowMs });
    const log: string[] = [];
    const wait = async (ms: number): Promise<void> => {
      nowMs += ms;
      pass(ms);
      await settle();
    };
    await limiter.enter(false);
    enter(limiter, false, "single", log);
    enter(limiter, true, "pipelined", log);
    await wait(99);
    enter(limiter, false, "later", log);
    await wait(1);
    expect(limiter.enter(false)).toBe("overloaded");
    await wait(100);
    expect(log).toEqual([]);
    await wait(50);
    expect(log).toEqual(["single refused"]);
    await wait(50);
    expect(log).toEqual(["single refused", "later refused"]);
    await wait(700);
    expect(log).toHaveLength(2);
    await wait(50);
    expect(log).toEqual(["single refused", "later refused", "pipelined refused"]);
  });

  test("the rate starts anew with each busy time", () => {
    let nowMs = 0;
    const rate = createServiceRate(() => nowMs);
    nowMs = 10_000;
    rate.begin();
    expect(rate.expectedMs(1000)).toBe(0);
    for (let n = 0; n < 10; n += 1) {
      nowMs += 10;
      rate.completed();
    }
    expect(rate.expectedMs(10)).toBe(100);
    rate.tick();
    rate.tick();
    expect(rate.expectedMs(1)).toBe(Infinity);
    rate.completed();
    expect(rate.expectedMs(10)).toBe(100);
  });
});

test("bytes of bodies are held up to a limit", () => {
  const limiter = createWorkLimiter({ bodyBytesMax: 10 });
  expect(limiter.bodies.hold(6)).toBe(true);
  expect(limiter.bodies.hold(5)).toBe(false);
  limiter.bodies.release(6);
  expect(limiter.bodies.hold(10)).toBe(true);
});

test("a queue gives back what it was given, however it is used", () => {
  const queue = createFifo<number>();
  let given = 0;
  let taken = 0;
  for (let n = 0; n < 5_000; n += 1) {
    queue.push((given += 1));
    if (n % 3 !== 0) expect(queue.shift()).toBe((taken += 1));
    expect(queue.length).toBe(given - taken);
    expect(queue.peek()).toBe(taken < given ? taken + 1 : undefined);
  }
  while (queue.length > 0) expect(queue.shift()).toBe((taken += 1));
  expect(queue.shift()).toBeUndefined();
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2/64"],
  ["2001:db8::1", "2001:db8:0:0/64"],
  ["fe80::1%eth0", "fe80:0:0:0/64"],
  ["::1", "0:0:0:0/64"],
])("%s is counted as %s", (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
});

test("loopback is told from everything else", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].every(isLoopback)).toBe(true);
  expect(["128.0.0.1", "::2", "::ffff:10.0.0.1", "1.127.0.0"].some(isLoopback)).toBe(false);
});

test("pieces of a body become one, and what is held covers it", () => {
  const gathered = gatherBytes();
  for (const piece of ["a", "bc", "", "defgh", "i"]) gathered.add(Buffer.from(piece));
  expect(gathered.whole().toString()).toBe("abcdefghi");
  expect(gathered.length).toBe(9);
  expect(gathered.held).toBeGreaterThanOrEqual(9);
});
