import { createServer } from "node:http";
import express from "express";
import { beforeEach, expect, test } from "vitest";
import { createServiceKeys, rotateServiceKeys } from "../../runtime/events/signing/service-keys.ts";
import { addKeySetRoute } from "../../runtime/operations/http/pages.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { sealer as sealerOf } from "../../runtime/operations/system/index.ts";
import { allServiceKeys } from "../../runtime/store/tables/index.ts";

const minuteMs = 60_000;
const sealer = sealerOf(new Uint8Array(32));

let nowMs: number;
let reads: number;
let store: Store;
const clock = { now: () => nowMs, elapsedMs: () => nowMs, schedule: () => () => undefined };

beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 2, 12);
  reads = 0;
  const kept = createMemoryStore();
  store = {
    ...kept,
    read: (work) => {
      reads += 1;
      return kept.read(work);
    },
  };
});

const process = () => createServiceKeys({ store, sealer, clock });
const rotate = () => store.write((tx) => rotateServiceKeys({ store: tx, sealer, clock }));
const stored = () => store.read((view) => view.many(allServiceKeys));

test("however often they are rotated, one key of each algorithm waits to sign", async () => {
  const keys = process();
  await keys.signing();
  nowMs += 60 * minuteMs;
  const { payloadKeyId } = await keys.signing();
  for (let times = 0; times < 40; times += 1) {
    nowMs += 1_000;
    await rotate();
  }
  expect(await stored()).toHaveLength(4);
  expect((await keys.signing()).payloadKeyId).toBe(payloadKeyId);
  const last = (await stored()).findLast(({ algorithm }) => algorithm === "ES256");
  nowMs += 10 * minuteMs;
  expect((await keys.signing()).payloadKeyId).toBe(last?.keyId);
});

test("the first keys sign until others have been shown, even if they are new themselves", async () => {
  const keys = process();
  const first = (await keys.signing()).payloadKeyId;
  for (let times = 0; times < 2; times += 1) {
    nowMs += 1_000;
    await rotate();
  }
  nowMs += 1_000;
  expect((await keys.signing()).payloadKeyId).toBe(first);
  expect((await stored()).map(({ keyId }) => keyId)).toContain(first);
});

test("a key with which a process is about to sign is not replaced", async () => {
  const keys = process();
  const first = (await keys.signing()).payloadKeyId;
  nowMs += 60 * minuteMs;
  await rotate();
  nowMs += 9.7 * minuteMs;
  // The process reads the keys now, and again half a minute later at the earliest.
  expect((await keys.signing()).payloadKeyId).toBe(first);
  nowMs += 1_000;
  await rotate();
  nowMs += 0.4 * minuteMs;
  const { payloadKeyId } = await keys.signing();
  expect(payloadKeyId).not.toBe(first);
  expect((await process().keySet()).keys.map(({ kid }) => kid)).toContain(payloadKeyId);
});

test("the key set is made once for a change, and read once a second", async () => {
  const keys = process();
  const before = await keys.keySet();
  const readsBefore = reads;
  for (let times = 0; times < 100; times += 1) expect(await keys.keySet()).toBe(before);
  expect(reads).toBe(readsBefore);
  nowMs += 1_000;
  expect(await keys.keySet()).toBe(before);
  expect(reads).toBe(readsBefore + 1);
  await rotate();
  nowMs += 1_000;
  expect((await keys.keySet()).keys).toHaveLength(4);
});

test("a document that did not change is printed once", async () => {
  let printed = 0;
  const set = {
    toJSON() {
      printed += 1;
      return { keys: [] };
    },
  };
  const app = express();
  addKeySetRoute(app, async () => set, 300);
  const server = createServer(app).listen(0, "127.0.0.1");
  try {
    await new Promise((listening) => server.once("listening", listening));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : address;
    for (let times = 0; times < 3; times += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`);
      expect(await answer.json()).toEqual({ keys: [] });
    }
    expect(printed).toBe(1);
  } finally {
    server.close();
  }
});
