import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storedNonces } from "../../runtime/pipeline/index.ts";
import { createReplayRegister, type ReplayRegister } from "../../runtime/auth/index.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";
import { noncesOf } from "../../runtime/store/tables/index.ts";

const secondMs = 1_000;
const dayMs = 24 * 3_600 * secondMs;
const startMs = 1_000_000_000;
let nowMs = startMs;
const clock = { ...systemClock, now: () => nowMs };
let store: Store;
let nonces: ReplayRegister;
const file = migratedFileForEachTest();

async function open(perOwnerMax?: number): Promise<void> {
  store = await openSqliteStore({ file: file(), migrate: true });
  const bound = perOwnerMax === undefined ? {} : { perOwnerMax };
  nonces = createReplayRegister({ clock, shelf: storedNonces(store), ...bound });
}

/** A new process over the same file. */
async function restart(perOwnerMax?: number): Promise<void> {
  await store.close();
  await open(perOwnerMax);
}

beforeEach(async () => {
  nowMs = startMs;
  await open();
});
afterEach(() => store.close());

const take = async (owner: string, nonce: string, inSeconds: number) =>
  (await nonces.take({ owner, nonce, expiresAtMs: nowMs + inSeconds * secondMs })).kind;
const kept = (owner: string) => store.read((view) => view.count(noncesOf, owner, 0));

describe("a nonce is taken once", () => {
  test("by one owner; another may have the same", async () => {
    expect(await take("key a", "n", 60)).toBe("taken");
    expect(await take("key a", "n", 60)).toBe("replayed");
    expect(await take("key a", "n", 90)).toBe("replayed");
    expect(await take("key b", "n", 60)).toBe("taken");
  });

  test("by requests that come at the same moment, too", async () => {
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => take("key a", "n", 60)));
    expect(verdicts.filter((kind) => kind === "taken")).toHaveLength(1);
  });

  test("also by a new process, whether the signature was made before or, by a clock ahead, after its start", async () => {
    expect(await take("key a", "behind", 30)).toBe("taken");
    expect(await take("key a", "ahead", 330)).toBe("taken");
    await restart();
    expect(await take("key a", "behind", 30)).toBe("replayed");
    expect(await take("key a", "ahead", 330)).toBe("replayed");
    expect(await take("key a", "new", 60)).toBe("taken");
  });

  test("also when it was removed and the clock is set back, here and after a restart", async () => {
    expect(await take("key a", "captured", 30)).toBe("taken");
    nowMs = startMs + 200 * secondMs;
    expect(await take("key a", "removes the first", 60)).toBe("taken");
    expect(await kept("key a")).toBe(1);
    nowMs = startMs;
    expect(await take("key a", "captured", 30)).toBe("replayed");
    await restart();
    expect(await take("key a", "captured", 30)).toBe("replayed");
    expect(await take("key a", "another", 60)).toBe("taken");
  });
});

test("a clock that was ahead for some minutes, and is put right, costs no new nonce its place", async () => {
  expect(await take("key a", "before", 60)).toBe("taken");
  nowMs = startMs + dayMs;
  expect(await take("key a", "ahead", 60)).toBe("taken");
  nowMs += 200 * secondMs;
  expect(await take("key a", "removes both", 60)).toBe("taken");
  expect(await kept("key a")).toBe(1);
  nowMs = startMs + 20 * secondMs;
  expect(await take("key a", "before", 40)).toBe("replayed");
  expect(await take("key a", "after", 60)).toBe("taken");
  await restart();
  expect(await take("key a", "after", 60)).toBe("replayed");
  expect(await take("key a", "new", 60)).toBe("taken");
  nowMs = startMs + dayMs;
  expect(await take("key a", "ahead", 60)).toBe("replayed");
});

describe("what is kept is bounded", () => {
  test("by what is live: the rest is removed in portions", async () => {
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => take("key a", `n${n}`, 30)));
    nowMs += 100 * secondMs;
    for (let n = 0; n < 20; n += 1) await take("key b", `n${n}`, 30);
    expect(await kept("key a")).toBe(0);
    expect(await kept("key b")).toBe(20);
  });

  test("by owner: 20,000 nonces of one key are refused it alone, and until its first ones expire", async () => {
    const perOwnerMax = 500;
    const asked = 20_000;
    await restart(perOwnerMax);
    const counted = new Map<string, number>();
    for (let from = 0; from < asked; from += 5_000) {
      const verdicts = await Promise.all(
        Array.from({ length: 5_000 }, (_, n) => take("key a", `n${from + n}`, 60)),
      );
      for (const kind of verdicts) counted.set(kind, (counted.get(kind) ?? 0) + 1);
    }
    expect(Object.fromEntries(counted)).toEqual({ taken: perOwnerMax, full: asked - perOwnerMax });
    const refused = await nonces.take({ owner: "key a", nonce: "x", expiresAtMs: nowMs + secondMs });
    expect(refused).toEqual({ kind: "full", retryAfterMs: 60 * secondMs });
    expect(await take("key b", "n", 60)).toBe("taken");
    await restart(perOwnerMax);
    expect(await take("key a", "x", 60)).toBe("full");
    expect(await take("key b", "n2", 60)).toBe("taken");
    nowMs += 332 * secondMs;
    expect(await take("key a", "x", 60)).toBe("taken");
  });

  test("a replayed nonce takes no room: whoever captured one cannot fill its key's", async () => {
    await restart(3);
    for (let n = 0; n < 10; n += 1) await take("key a", "captured", 60);
    expect(await take("key a", "second", 60)).toBe("taken");
  });
});

describe("a register in memory", () => {
  test("takes a nonce once until it expires, and another owner's all the same", async () => {
    nonces = createReplayRegister({ clock });
    expect(await take("key a", "n", 5)).toBe("taken");
    expect(await take("key a", "n", 5)).toBe("replayed");
    expect(await take("key b", "n", 5)).toBe("taken");
    nowMs += 4_999;
    expect(await take("key a", "n", 5)).toBe("replayed");
    nowMs += 1_001;
    expect(await take("key a", "n", 9)).toBe("taken");
  });

  test("keeps an owner with too many waiting until some expire, and no other", async () => {
    nonces = createReplayRegister({ clock, perOwnerMax: 2 });
    const kinds = [];
    for (const nonce of ["1", "2", "2", "3"]) kinds.push(await take("key a", nonce, 2));
    expect(kinds).toEqual(["taken", "taken", "full", "full"]);
    expect(await take("key b", "1", 2)).toBe("taken");
    nowMs += 3 * secondMs;
    expect(await take("key a", "3", 2)).toBe("taken");
  });

  test("takes no nonce again that it forgot while the clock was ahead", async () => {
    nonces = createReplayRegister({ clock });
    expect(await take("key a", "captured", 300)).toBe("taken");
    nowMs = startMs + 3_600 * secondMs;
    expect(await take("key a", "ahead", 300)).toBe("taken");
    nowMs = startMs + 60 * secondMs;
    expect(await take("key a", "captured", 240)).toBe("replayed");
    expect(await take("key a", "new", 241)).toBe("taken");
  });
});
