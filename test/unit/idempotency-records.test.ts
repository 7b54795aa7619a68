import { expect, test } from "vitest";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { createKeptAnswers } from "../../runtime/pipeline/engine-store.ts";
import { identityOf } from "../../runtime/protocol/signed-envelope/protocol.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { sealer, systemClock } from "../../runtime/operations/system/index.ts";
import { answerByHash } from "../../runtime/store/tables/index.ts";

const method = operatorInterface.methods["CreateCategory"];
if (method === undefined) throw new Error("no CreateCategory");
interface Asked {
  readonly keyId?: string;
  readonly methodIdentity?: string;
  readonly requestIdentity?: string;
  readonly text?: string;
}

function hashOf({ text = '{"name":"A","description":"B"}', ...asked }: Asked) {
  const envelope = {
    kind: "flat",
    method: method ?? expect.unreachable(),
    payload: JSON.parse(text),
    payloadBytes: Buffer.from(text),
  } as const;
  const unkeyed = { idempotencyKey: undefined, position: undefined };
  const usual = { keyId: "k1", methodIdentity: "CreateCategory", requestIdentity: "1", ...unkeyed };
  return identityOf(envelope, { ...usual, ...asked })?.requestHash;
}

test.each<[string, Asked]>([
  ["another key", { keyId: "k2" }],
  ["no key", { keyId: "" }],
  ["another method", { methodIdentity: "CreateSource" }],
  ["another request", { requestIdentity: "2" }],
  ["another payload", { text: '{"name":"A","description":"C"}' }],
])("%s makes it another request", (_name, asked) => {
  expect(hashOf(asked)).not.toBe(hashOf({}));
});

test("a payload that was written anew is the same request", () => {
  expect(hashOf({ text: '{ "description" : "\\u0042", "name" : "A" }' })).toBe(hashOf({}));
});

const dayMs = 24 * 3_600_000;
const startMs = 1_700_000_000_000;
let nowMs = startMs;
const clock = { ...systemClock, now: () => nowMs, elapsedMs: () => nowMs };
const open = () => {
  nowMs = startMs;
  return createKeptAnswers(clock, sealer(new Uint8Array(32)));
};
const result = { resultText: '{"secret":"x"}', requestHash: "r", revision: "1" };

async function rowsOf(store: Store, hashes: readonly string[]): Promise<readonly string[]> {
  return store.write(async (tx) => {
    const rows: string[] = [];
    for (const hash of hashes) if ((await tx.one(answerByHash, hash)) !== undefined) rows.push(hash);
    return rows;
  });
}

test("an answer is kept sealed, and given again for 24 hours", async () => {
  const store = createMemoryStore();
  const records = open();
  await store.write((tx) => records.keep(tx, { requestHash: "h", institutionId: "i" }, result));
  const row = await store.write((tx) => tx.one(answerByHash, "h"));
  expect(row?.resultJson).not.toContain("secret");
  const found = () => store.write((tx) => records.find(tx, "h"));
  nowMs = startMs + dayMs - 1;
  expect(await found()).toEqual(result);
  nowMs = startMs + dayMs;
  expect(await found()).toBeUndefined();
  expect(await rowsOf(store, ["h"])).toEqual([]);
});

test("an answer of 24 hours is removed by the next one", async () => {
  const store = createMemoryStore();
  const records = open();
  for (const [requestHash, timeMs] of [
    ["old", startMs],
    ["younger", startMs + 1],
    ["new", startMs + dayMs],
  ] as const) {
    nowMs = timeMs;
    await store.write((tx) => records.keep(tx, { requestHash, institutionId: "i" }, result));
  }
  expect(await rowsOf(store, ["old", "younger", "new"])).toEqual(["younger", "new"]);
});

test("answers of more than 24 hours are removed by later ones, fifty at once", async () => {
  const store = createMemoryStore();
  const records = open();
  const keep = (requestHash: string) =>
    store.write((tx) => records.keep(tx, { requestHash, institutionId: "i" }, result));
  const old = Array.from({ length: 60 }, (_, number) => `old${number}`);
  for (const hash of old) await keep(hash);
  nowMs = startMs + dayMs - 1;
  await keep("early");
  expect(await rowsOf(store, old)).toHaveLength(60);
  nowMs = startMs + dayMs + 600_000;
  await keep("first");
  expect(await rowsOf(store, old)).toHaveLength(10);
  await keep("second");
  expect(await rowsOf(store, [...old, "early"])).toEqual(["early"]);
});
