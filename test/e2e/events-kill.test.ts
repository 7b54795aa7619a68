import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "../../runtime/storage/sqlite/index.ts";
import { bank } from "../store-contract/samples.ts";
import { startReceiver, type Receiver } from "./receiver.ts";

/** `EVENTS_KILL_ROUNDS=200 npx vitest run test/e2e/events-kill` for the long run. */
const rounds = Number(process.env["EVENTS_KILL_ROUNDS"] ?? 5);
const script = join(import.meta.dirname, "events-under-load.ts");
const folder = mkdtempSync(join(tmpdir(), "ledger-kill-"));
const file = join(folder, "ledger.sqlite");
const acknowledged = new Set<string>();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** Runs the process until it has printed something, then for a while, then kills it. */
async function killedRound(aliveMs: number): Promise<void> {
  const child = spawn(process.execPath, [script, file, receiver.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  await new Promise((resolve) => setTimeout(resolve, aliveMs));
  child.kill("SIGKILL");
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  for (const id of printed.split("\n").slice(0, -1)) acknowledged.add(id);
}

async function drain(): Promise<void> {
  const child = spawn(process.execPath, [script, file, receiver.url, "drain"], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
}

test(
  "whenever the process is killed, every committed event arrives, no other one does, and no sequence has a gap",
  async () => {
    for (let round = 0; round < rounds; round += 1) await killedRound(Math.random() * 250);
    await drain();
    const committed = new Set<string>();
    const store = await openSqliteStore({ file, migrate: false });
    for (const { eventId, state } of await store.read((view) =>
      view.deliveries.list({ institutionId: bank.id, limit: 10_000_000 }),
    )) {
      committed.add(eventId);
      expect(state).toBe("DELIVERED");
    }
    await store.close();

    expect(acknowledged.size).toBeGreaterThan(rounds);
    expect([...acknowledged].filter((id) => !committed.has(id))).toEqual([]);
    const lanes = new Map<string, number[]>();
    const events = new Map<string, Set<string>>();
    for (const { json } of receiver.received) {
      const lane = `${json.subscriptionId} ${json.groupId[0]}`;
      const sequences = lanes.get(lane) ?? [];
      sequences.push(json.sequence);
      lanes.set(lane, sequences);
      const received = events.get(json.subscriptionId) ?? new Set();
      events.set(json.subscriptionId, received.add(json.eventId));
    }
    expect([...events.keys()].toSorted()).toEqual(["also-plain", "ordered", "plain"]);
    for (const received of events.values()) expect(received).toEqual(committed);
    expect(lanes.size).toBe(9);
    for (const [lane, sequences] of lanes) {
      const known = new Set(sequences);
      const last = Math.max(...known);
      expect(known.size, `${lane} has gaps`).toBe(last);
      // Sent again after a kill, but never behind a later one.
      if (lane.startsWith("ordered")) expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences);
    }
  },
  60_000 + rounds * 3_000,
);
