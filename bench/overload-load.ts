/**
 * The callers of bench/overload.ts, in a process of their own. Reads one job as JSON from its first argument, prints one
 * outcome as JSON. Speaks HTTP/1.1 over plain sockets, so that it costs little beside the service.
 */
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Access } from "../ledger/seed/index.ts";
import { requestBytes } from "./harness/http-load.ts";

export interface LoadJob {
  readonly dataDir: string;
  readonly kind: "closed" | "pipelined" | "burst" | "probe";
  readonly connections: number;
  readonly seconds: number;
  /** Requests offered a second, over all connections; `pipelined` alone. */
  readonly ratePerSecond?: number;
  /** Requests written at once; `burst` alone. */
  readonly requests?: number;
}

export interface LoadOutcome {
  readonly offered: number;
  /** How long it took until all connections were open, before the seconds of the job; `pipelined` alone. */
  readonly dialledMs: number;
  /** Connections that the service ended, on which it had answered nothing. */
  readonly unanswered: number;
  /** Answers by HTTP status. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Milliseconds from writing a request to its answer, by status: median, 99th percentile, maximum. */
  readonly latencyMs: Readonly<Record<string, readonly [number, number, number]>>;
  /** Medians by tenth of a second since the start; `probe` alone. */
  readonly medians?: readonly number[];
  /** Answers by tenth of a second since the start; `probe` alone. */
  readonly answers?: readonly number[];
}

interface Answer {
  readonly status: string;
  readonly sentAtMs: number;
}

const job: LoadJob = JSON.parse(process.argv[2] ?? "");
const access: Access = JSON.parse(readFileSync(join(job.dataDir, "access.json"), "utf8"));
const { hostname, port } = new URL(access.baseUrl);
const requests = signedRequests(100);
const latencies = new Map<string, number[]>();
const buckets: number[][] = [];
let startedAtMs = performance.now();
let endsAtMs = startedAtMs + job.seconds * 1000;
let offered = 0;
let dialledMs = 0;
let unanswered = 0;

const run = { closed, probe: closed, pipelined, burst }[job.kind];
await run();
const outcome: LoadOutcome = {
  offered,
  dialledMs,
  unanswered,
  byStatus: Object.fromEntries([...latencies].map(([status, all]) => [status, all.length])),
  latencyMs: Object.fromEntries([...latencies].map(([status, all]) => [status, summary(all)])),
  ...(job.kind === "probe"
    ? {
        medians: Array.from(buckets, (all) => summary(all ?? [])[0]),
        answers: Array.from(buckets, (all) => all?.length ?? 0),
      }
    : {}),
};
console.log(JSON.stringify(outcome));
process.exit(0);

/** Callers that send their next request when the last one is answered. */
async function closed(): Promise<void> {
  await Promise.all(
    Array.from({ length: job.connections }, async () => {
      const caller = await dial();
      while (performance.now() < endsAtMs && (await caller.call())) offered += 1;
    }),
  );
}

/** Requests at a fixed rate, whatever becomes of them, over connections that never wait for an answer. */
async function pipelined(): Promise<void> {
  const { ratePerSecond = 0 } = job;
  const callers = await Promise.all(Array.from({ length: job.connections }, dial));
  dialledMs = performance.now() - startedAtMs;
  startedAtMs += dialledMs;
  endsAtMs += dialledMs;
  for (let nowMs = performance.now(); nowMs < endsAtMs; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startedAtMs) / 1000) * ratePerSecond) - offered;
    for (let sent = 0; sent < due; sent += 1) callers[(offered += 1) % callers.length]?.send();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** One connection that writes all at once, and goes on doing so until the time is over. */
async function burst(): Promise<void> {
  const { requests: count = 20_000 } = job;
  const caller = await dial();
  while (performance.now() < endsAtMs) {
    for (let sent = 0; sent < count; sent += 1) caller.send();
    offered += count;
    await caller.settled(endsAtMs);
  }
}

async function dial() {
  const socket: Socket = connect(Number(port), hostname).setNoDelay();
  const sentAt: number[] = [];
  let next = 0;
  let answered = 0;
  let wake: ((open: boolean) => void) | undefined;
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.on("error", () => {});
  socket.on("close", () => {
    if (answered === 0) unanswered += 1;
    wake?.(false);
  });
  readAnswers(socket, (status) => {
    note({ status, sentAtMs: sentAt[answered] ?? 0 });
    answered += 1;
    if (answered === sentAt.length) wake?.(true);
  });
  const send = (): void => {
    sentAt.push(performance.now());
    socket.write(requests[(next += 1) % requests.length] ?? "");
  };
  return {
    send,
    call: () => {
      if (socket.destroyed) return Promise.resolve(false);
      send();
      return new Promise<boolean>((resolve) => (wake = resolve));
    },
    settled: (untilMs: number) =>
      new Promise<boolean>((resolve) => {
        wake = resolve;
        setTimeout(resolve, Math.max(0, untilMs - performance.now()), false);
      }),
  };
}

/** Calls back with the status of each answer. */
function readAnswers(socket: Socket, onAnswer: (status: string) => void): void {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (;;) {
      const headEnd = text.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1]);
      const end = headEnd + 4 + length;
      if (text.length < end) return;
      onAnswer(text.slice(9, 12));
      text = text.slice(end);
    }
  });
}

function note({ status, sentAtMs }: Answer): void {
  const nowMs = performance.now();
  const all = latencies.get(status) ?? [];
  latencies.set(status, all);
  all.push(nowMs - sentAtMs);
  if (job.kind !== "probe") return;
  const bucket = Math.floor((sentAtMs - startedAtMs) / 100);
  (buckets[bucket] ??= []).push(nowMs - sentAtMs);
}

function summary(all: readonly number[]): readonly [number, number, number] {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  return [at(0.5), at(0.99), at(1)];
}

function signedRequests(count: number): readonly Buffer[] {
  const { userName, apiKey, keyId, privateKeyPem, samples } = access;
  const key = createPrivateKey(privateKeyPem);
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  return Array.from({ length: count }, (_, n) => {
    const payload = JSON.stringify({ ID: samples.accountId, trace: `call ${n}` });
    const signature = sign("sha256", Buffer.from(payload), key).toString("base64");
    const api = JSON.stringify({ credential, keyId, signature });
    const body = `{"method":"AccountService.GetAccount","id":"${n}","params":{"api":${api},"payload":${payload}}}`;
    return requestBytes("/jsonrpc", body);
  });
}
