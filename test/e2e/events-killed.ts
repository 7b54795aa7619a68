import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../bank-stores.ts";
import { mulberry32 } from "../random.ts";
import { bank } from "../store-contract/samples.ts";
import { startReceiver, type Received } from "./receiver.ts";
import { deliveryListing } from "../../runtime/store/tables/index.ts";

export interface KillOptions {
  readonly rounds: number;
  /** Decides when each round's process is killed, and after which rounds is looked. */
  readonly seed: number;
  /** Told after each round. */
  onRound?(round: number, found: Found): void;
}

/** What was found so far. */
export interface Found {
  /** Whose commit a process had reported before it was killed. */
  readonly acknowledged: number;
  /** What is in the store. */
  readonly committed: number;
  /** Notifications, those that came again included. */
  readonly received: number;
  /** How often everything was looked at. */
  readonly looks: number;
  /** What must not be. */
  readonly faults: readonly string[];
}

const script = join(import.meta.dirname, "events-under-load.ts");
/** Rounds end so long after the process has begun to commit, at most; some while it is still starting. */
const aliveMsMax = 400;
const startingShare = 0.15;
const lookShare = 0.3;

/**
 * Kills a process that commits and delivers events again and again at random. A last process then delivers the rest.
 * Every committed event has arrived at each subscription, and no other event has; no sequence has a gap, and ordered
 * events came in order.
 */
export async function killAgainAndAgain({ rounds, seed, onRound }: KillOptions): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "ledger-kill-"));
  const file = join(folder, "ledger.sqlite");
  const receiver = await startReceiver();
  const random = mulberry32(seed);
  const acknowledged = new Set<string>();
  let found: Found = { acknowledged: 0, committed: 0, received: 0, looks: 0, faults: [] };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const child = spawn(process.execPath, [script, file, receiver.url], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      for (const id of await killed(child, random)) acknowledged.add(id);
      if (random() < lookShare || round === rounds) {
        await drain(file, receiver.url);
        found = await look(file, receiver.received, acknowledged, found);
      }
      onRound?.(round, { ...found, received: receiver.received.length, acknowledged: acknowledged.size });
    }
    return found;
  } finally {
    await receiver.close();
    rmSync(folder, { recursive: true });
  }
}

/** What the process had printed by the moment that it was killed. */
async function killed(child: ChildProcess, random: () => number): Promise<readonly string[]> {
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = once(child, "close");
  if (random() >= startingShare && child.stdout !== null)
    await Promise.race([once(child.stdout, "data"), exited]);
  await sleep(random() * aliveMsMax);
  child.kill("SIGKILL");
  await exited;
  if (child.signalCode !== "SIGKILL") throw new Error(`the process ended by itself: ${child.exitCode}`);
  // The last line may have been cut.
  return printed.split("\n").slice(0, -1);
}

async function drain(file: string, url: string): Promise<void> {
  const child = spawn(process.execPath, [script, file, url, "drain"], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`draining ended with ${code}`);
}

async function look(
  file: string,
  received: readonly Received[],
  acknowledged: ReadonlySet<string>,
  { looks, faults }: Found,
): Promise<Found> {
  const committed = new Set<string>();
  const more: string[] = [];
  const store = await openSqliteStore({ file, migrate: false });
  const query = { institutionId: bank.id, limit: 10_000_000 };
  for (const { id, eventId, state } of await store.read((view) => view.page(deliveryListing(query)))) {
    committed.add(eventId);
    if (state !== "DELIVERED") more.push(`delivery ${id} is ${state}`);
  }
  await store.close();
  for (const id of acknowledged)
    if (!committed.has(id)) more.push(`event ${id} was acknowledged and is lost`);
  more.push(...faultsOf(received, committed));
  return {
    acknowledged: acknowledged.size,
    committed: committed.size,
    received: received.length,
    looks: looks + 1,
    faults: [...faults, ...more],
  };
}

function faultsOf(received: readonly Received[], committed: ReadonlySet<string>): readonly string[] {
  const faults: string[] = [];
  const events = new Map<string, Set<string>>();
  const lanes = new Map<string, number[]>();
  const numbered = new Map<string, number>();
  for (const { json } of received) {
    const { subscriptionId, eventId, sequence } = json;
    if (!committed.has(eventId)) faults.push(`event ${eventId} arrived and was never committed`);
    const known = numbered.get(`${subscriptionId} ${eventId}`) ?? sequence;
    if (known !== sequence) faults.push(`event ${eventId} was numbered ${known} and ${sequence}`);
    numbered.set(`${subscriptionId} ${eventId}`, sequence);
    events.set(subscriptionId, (events.get(subscriptionId) ?? new Set()).add(eventId));
    const lane = `${subscriptionId} ${json.groupId[0]}`;
    lanes.set(lane, [...(lanes.get(lane) ?? []), sequence]);
  }
  for (const subscription of committed.size === 0 ? [] : ["plain", "also-plain", "ordered"]) {
    const missing = committed.size - (events.get(subscription)?.size ?? 0);
    if (missing !== 0) faults.push(`${missing} events did not arrive at ${subscription}`);
  }
  for (const [lane, sequences] of lanes) {
    const known = new Set(sequences);
    if (known.size !== known.values().reduce((most, one) => Math.max(most, one), 0))
      faults.push(`${lane} has gaps`);
    // Sent again after a kill, but never behind a later one.
    const isInOrder = sequences.every((sequence, index) => sequence >= (sequences[index - 1] ?? 0));
    if (lane.startsWith("ordered") && !isInOrder) faults.push(`${lane} came out of order`);
  }
  return faults;
}
