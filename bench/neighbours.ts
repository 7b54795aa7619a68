/**
 * The effect of one greedy user on one modest user of the same service, a process of its own on SQLite and on PostgreSQL:
 *
 *     node bench/neighbours.ts [names, such as fan-out revoke] [--engine sqlite|postgres] [--seconds 5] [--patience 120]
 *       [--heap 256] [--changes 256] [--at-once 128] [--revoked-subscriptions 500] [--deliveries-each 200]
 *       [--uninterested 200] [--accounts 1000] [--added 64] [--ordered 20] [--lock-seconds 6] [--of-two 500] [--slow 100] [--mails 100]
 *
 * The scenarios are fan-out-1000, fan-out-1500, fan-out-3000, two-greedy, slow-receivers, revoke, due-at-start, hanging-mails, uninterested, lost-commit
 * and write-lock. A name may be the beginning of several.
 *
 * The modest user reads its account 20 times a second. It also changes its account's status and waits for the
 * notification, again and again. It does so alone for some seconds, then beside the greedy user, until the outbox is
 * empty. `--heap` is what Node gives old objects in a container of 512 MiB, as deploy/kubernetes has.
 *
 * Ends with 1 if a goal is missed:
 * - the slowest read takes 0.5 s, over PostgreSQL 2 s, and no read is refused;
 * - a notification arrives within 10 s, behind a lost COMMIT within 5 s;
 * - the outbox is empty within `--patience`;
 * - the service holds 400 MB at most.
 */
import { setTimeout as sleep } from "node:timers/promises";
import Table from "cli-table3";
import { commandLine, refuse } from "./harness/command-line.ts";
import { openBank, peakMb, type Bank, type Engine } from "./neighbours/bank.ts";
import { scenarios, type Scenario, type Sizes } from "./neighbours/scenarios.ts";
import { cleanUp } from "./harness/processes.ts";
import { quantile } from "./harness/statistics.ts";

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    engine: { type: "string" },
    seconds: { type: "string", default: "5" },
    patience: { type: "string", default: "120" },
    heap: { type: "string", default: "256" },
    changes: { type: "string", default: "256" },
    "at-once": { type: "string", default: "128" },
    "revoked-subscriptions": { type: "string", default: "500" },
    "deliveries-each": { type: "string", default: "200" },
    uninterested: { type: "string", default: "200" },
    accounts: { type: "string", default: "1000" },
    added: { type: "string", default: "64" },
    ordered: { type: "string", default: "20" },
    "lock-seconds": { type: "string", default: "6" },
    "of-two": { type: "string", default: "500" },
    slow: { type: "string", default: "100" },
    mails: { type: "string", default: "100" },
  },
});
const { engine: _engine, ...numbers } = values;
for (const [name, text] of Object.entries(numbers))
  if (!(Number(text) > 0)) refuse(`--${name} takes a number, not ${text}`);
if (values.engine !== undefined && values.engine !== "sqlite" && values.engine !== "postgres")
  refuse(`--engine is sqlite or postgres, not ${values.engine}`);
const isAsked = ({ name }: Scenario): boolean =>
  positionals.length === 0 || positionals.some((asked) => name.startsWith(asked));
if (!scenarios.some(isAsked)) refuse(`The scenarios are ${scenarios.map(({ name }) => name).join(", ")}`);
const sizes: Sizes = {
  changes: Number(values.changes),
  atOnce: Number(values["at-once"]),
  revokedSubscriptions: Number(values["revoked-subscriptions"]),
  deliveriesEach: Number(values["deliveries-each"]),
  uninterested: Number(values.uninterested),
  accounts: Number(values.accounts),
  added: Number(values.added),
  ordered: Number(values.ordered),
  lockSeconds: Number(values["lock-seconds"]),
  ofTwo: Number(values["of-two"]),
  slow: Number(values.slow),
  mails: Number(values.mails),
};
const [seconds, patienceS] = [Number(values.seconds), Number(values.patience)];
const readEveryMs = 50;
const changeEveryMs = 500;
const memoryMaxMb = 400;
const readMaxS: Readonly<Record<Engine, number>> = { sqlite: 0.5, postgres: 2 };

const table = new Table({
  head: [
    "scenario",
    "reads alone\np50 p99 worst ms",
    "reads beside\np50 p99 worst ms",
    "refused",
    "notified alone\np50 worst ms",
    "notified beside\np50 worst ms",
    "outbox\nempty s",
    "peak\nMB",
    "missed",
  ],
  style: { head: [], border: [] },
});
let isMissed = false;
try {
  for (const scenario of scenarios.filter(isAsked)) {
    for (const engine of scenario.engines) {
      if (values.engine === undefined || values.engine === engine) await measure(scenario, engine);
    }
  }
} finally {
  await cleanUp();
}
console.log(table.toString());
process.exitCode = isMissed ? 1 : 0;

async function measure(scenario: Scenario, engine: Engine): Promise<void> {
  const bank = await openBank({
    engine,
    heapMb: Number(values.heap),
    ordered: scenario.ordered === true,
    fill: (store, greedy) => scenario.fill(store, greedy, sizes),
  });
  try {
    const modest = watchModest(bank);
    // What runs for the first time is slow by itself.
    await sleep(2_000);
    const alone = modest.phase();
    await sleep(seconds * 1_000);
    const beside = modest.phase();
    const startedAt = performance.now();
    const ran = scenario.run(bank, sizes).catch((error: unknown) => `it failed: ${String(error)}`);
    const line = await Promise.race([ran, bank.ended]);
    const emptyS = await untilEmpty(bank, startedAt);
    await sleep(Math.max(0, seconds * 1_000 - (performance.now() - startedAt)));
    await modest.stop();
    console.log(`${engine} ${scenario.name}: ${line}`);
    // The table comes last, and a run is long.
    console.log(
      `  reads ${shares(beside.readsMs, [0.5, 0.99, 1])} ms, notified ${shares(beside.notifiedMs, [0.5, 1])} ms`,
    );
    report(scenario, bank, { alone, beside, emptyS });
  } finally {
    await bank.close();
  }
}

/** What the modest user met in some time. */
interface Phase {
  readonly readsMs: number[];
  readonly notifiedMs: number[];
  refused: number;
}

interface Measured {
  readonly alone: Phase;
  readonly beside: Phase;
  /** Infinity: it did not become empty. */
  readonly emptyS: number;
}

function report(scenario: Scenario, bank: Bank, { alone, beside, emptyS }: Measured): void {
  const { engine } = bank;
  const hasEnded = hasEndedOf(bank);
  const memoryMb = hasEnded ? Infinity : peakMb(bank);
  const missed = [
    ...(hasEnded ? ["the service ended"] : []),
    ...(worstS(beside.readsMs) > readMaxS[engine] ? [`reads ${readMaxS[engine]} s`] : []),
    ...(beside.refused > 0 ? ["refused"] : []),
    ...(beside.notifiedMs.length === 0 || worstS(beside.notifiedMs) > (scenario.notificationMaxS ?? 10)
      ? [`notified ${scenario.notificationMaxS ?? 10} s`]
      : []),
    ...(emptyS > patienceS ? [`outbox ${patienceS} s`] : []),
    ...(memoryMb > memoryMaxMb ? [`memory ${memoryMaxMb} MB`] : []),
  ];
  isMissed ||= missed.length > 0;
  table.push([
    `${engine}\n${scenario.name}`,
    shares(alone.readsMs, [0.5, 0.99, 1]),
    shares(beside.readsMs, [0.5, 0.99, 1]),
    String(beside.refused),
    shares(alone.notifiedMs, [0.5, 1]),
    shares(beside.notifiedMs, [0.5, 1]),
    emptyS.toFixed(1),
    memoryMb.toFixed(0),
    missed.join("\n"),
  ]);
}

function worstS(values: readonly number[]): number {
  return Math.max(...values) / 1_000;
}

function shares(values: readonly number[], at: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return at.map((share) => quantile(sorted, share).toFixed(share === 0.5 ? 1 : 0)).join(" ");
}

/** Reads and changes at a steady pace, and waits for what was begun when it is stopped. */
function watchModest(bank: Bank) {
  const { modest } = bank;
  let phase = newPhase();
  const over = new AbortController();
  const reads = new Set<Promise<void>>();
  const read = async (dueAtMs: number): Promise<void> => {
    const into = phase;
    const answer = await modest
      .call("AccountService.GetAccount", { ID: modest.account.id })
      .catch(() => undefined);
    if (answer?.status !== 200) into.refused += 1;
    into.readsMs.push(performance.now() - dueAtMs);
  };
  const reading = (async () => {
    for (let dueAtMs = performance.now(); !over.signal.aborted; dueAtMs += readEveryMs) {
      await sleep(Math.max(0, dueAtMs - performance.now()));
      const one = read(dueAtMs).finally(() => reads.delete(one));
      reads.add(one);
    }
    await Promise.race([Promise.all(reads), bank.ended]);
  })();
  const notifying = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const into = phase;
      into.notifiedMs.push(await notifiedMs(bank, turn));
      await sleep(changeEveryMs);
    }
  })();
  return {
    phase() {
      return (phase = newPhase());
    },
    async stop() {
      over.abort();
      await Promise.all([reading, notifying]);
    },
  };
}

function newPhase(): Phase {
  return { readsMs: [], notifiedMs: [], refused: 0 };
}

/** From asking for a status change until its notification has arrived; a refused change is asked for again. */
async function notifiedMs(bank: Bank, turn: number): Promise<number> {
  const { modest, receiver } = bank;
  const status = ["CURTAILED", "DORMANT", "SUSPENDED", "ACTIVE"][turn % 4] ?? "";
  const askedAtMs = performance.now();
  const arrived = new Promise<number>((resolve) => {
    receiver.onModest((body) => {
      if (body.includes(`"${status}"`)) resolve(performance.now() - askedAtMs);
    });
  });
  const id = `${turn}-${process.pid}`;
  const payload = { accountNumber: modest.account.number, status };
  const asked = async (): Promise<boolean> => {
    const answer = await modest
      .call("AccountService.UpdateAccountStatus", payload, id)
      .catch(() => undefined);
    return answer?.status === 200;
  };
  const given = bank.ended.then(() => Infinity);
  const late = sleep(patienceS * 1_000, Infinity, { ref: false });
  const change = (async () => {
    while (!hasEndedOf(bank) && !(await asked())) await sleep(100);
    return arrived;
  })();
  return Promise.race([change, given, late]);
}

/** Seconds until no event waits to be published, which counts twice in a row; Infinity where it takes too long. */
async function untilEmpty(bank: Bank, startedAtMs: number): Promise<number> {
  for (;;) {
    const elapsedS = (performance.now() - startedAtMs) / 1_000;
    if (hasEndedOf(bank) || elapsedS > patienceS) return Infinity;
    if ((await bank.outbox()) === 0) return elapsedS;
    await sleep(50);
  }
}

function hasEndedOf({ service: { child } }: Bank): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
