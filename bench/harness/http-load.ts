import { connect, type Socket } from "node:net";
import { quantile } from "./statistics.ts";

/**
 * The calls that a server answers before anything counts. V8 compiles on threads of its own: 110 µs a call of the first 1,500, 25
 * after 8,000, and 5 to 10 from 20,000 on.
 */
const warmUpCalls = 20_000;

/** A round of a measurement, and what it is called. Those below 1 warm up. */
export interface Round {
  readonly round: number;
  readonly name: string;
}

/** The rounds that warm up servers of which each answers so many calls a round, and those that count. */
export function roundsOf(rounds: number, callsPerRound: number): readonly Round[] {
  const first = 1 - Math.ceil(warmUpCalls / callsPerRound);
  return Array.from({ length: rounds + 1 - first }, (_, at) => {
    const round = first + at;
    return { round, name: round < 1 ? "warming up" : `round ${round} of ${rounds}` };
  });
}

/** The times of one run of requests. */
export interface LoadOutcome {
  readonly seconds: number;
  readonly answered: number;
  /** Milliseconds from the time a request was due to its answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Throws for an answer that is not the right one. */
export type CheckAnswer = (body: string, request: number) => void;

/** A run of requests over plain sockets: a caller that costs little beside what it calls. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly Buffer[];
  readonly check: CheckAnswer;
}

/** Each connection sends its next request when it has the answer of the last. */
export async function callClosed(load: Load): Promise<LoadOutcome> {
  const { requests, check } = load;
  return await withCallers(load, async (callers) => {
    const latencies = new Float64Array(requests.length);
    let next = 0;
    const callInTurn = async (caller: Caller): Promise<void> => {
      for (let at = next++; at < requests.length; at = next++) {
        const sentAt = performance.now();
        check(await caller.call(requests[at] ?? nothing), at);
        latencies[at] = performance.now() - sentAt;
      }
    };
    await Promise.all(callers.map(callInTurn));
    return latencies;
  });
}

/** Requests are due at a steady rate whatever becomes of those before; each takes the connection that is free longest. */
export async function callOpen(load: Load, perSecond: number): Promise<LoadOutcome> {
  const { requests, check } = load;
  return await withCallers(load, async (callers) => {
    // A server accepts a connection some time after its caller sees it open.
    await Promise.all(callers.map((caller) => caller.call(anyRequest)));
    const startedAt = performance.now();
    const latencies = new Float64Array(requests.length);
    const free = [...callers];
    const waiting: number[] = [];
    const dueAt = (at: number): number => startedAt + (at * 1000) / perSecond;
    let left = requests.length;
    let next = 0;
    await new Promise<void>((done, fail) => {
      const send = async (caller: Caller, at: number): Promise<void> => {
        check(await caller.call(requests[at] ?? nothing), at);
        latencies[at] = performance.now() - dueAt(at);
        left -= 1;
        const following = waiting.shift();
        if (following === undefined) free.push(caller);
        else send(caller, following).catch(fail);
        if (left === 0) done();
      };
      const turn = (): void => {
        for (const now = performance.now(); next < requests.length && dueAt(next) <= now; next += 1) {
          const caller = free.shift();
          if (caller === undefined) waiting.push(next);
          else send(caller, next).catch(fail);
        }
        if (next < requests.length) setImmediate(turn);
      };
      turn();
    });
    return latencies;
  });
}

const nothing = Buffer.alloc(0);
/** Every service that listens on this machine takes this name, and answers others with 421. */
const host = "localhost";
const anyRequest = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

/** Connections are opened before the clock starts. */
async function withCallers(
  { url, connections }: Load,
  run: (callers: readonly Caller[]) => Promise<Float64Array>,
): Promise<LoadOutcome> {
  const { hostname, port } = new URL(url);
  const callers = await Promise.all(Array.from({ length: connections }, () => dial(hostname, Number(port))));
  try {
    const startedAt = performance.now();
    const latencies = await run(callers);
    const seconds = (performance.now() - startedAt) / 1000;
    const sorted = latencies.toSorted();
    const [p50Ms, p99Ms] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
    return { seconds, answered: latencies.length, p50Ms, p99Ms };
  } finally {
    for (const { close } of callers) close();
  }
}

/** A whole HTTP request, as bytes. */
export function requestBytes(path: string, body: string): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}

interface Caller {
  call(request: Buffer): Promise<string>;
  close(): void;
}

async function dial(hostname: string, port: number): Promise<Caller> {
  const socket: Socket = connect(port, hostname).setNoDelay();
  let answered: ((body: string) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  await new Promise<void>((done, fail) => socket.once("connect", done).once("error", fail));
  socket.on("error", (error) => failed?.(error));
  socket.on("close", () => failed?.(new Error("the server closed the connection")));
  readBodies(socket, (body) => answered?.(body));
  return {
    call: (request) =>
      new Promise((done, fail) => {
        answered = done;
        failed = fail;
        socket.write(request);
      }),
    close: () => {
      failed = undefined;
      socket.destroy();
    },
  };
}

/** Answers come one at a time, with a `Content-Length`. */
function readBodies(socket: Socket, onBody: (body: string) => void): void {
  let received: Buffer = Buffer.alloc(0);
  let wanted = -1;
  let bodyAt = 0;
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (wanted < 0) {
      const headEnd = received.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      bodyAt = headEnd + 4;
      const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString("latin1", 0, bodyAt))?.[1];
      if (length === undefined) throw new Error("an answer without Content-Length");
      wanted = bodyAt + Number(length);
    }
    if (received.length < wanted) return;
    const body = received.toString("utf8", bodyAt, wanted);
    received = received.subarray(wanted);
    wanted = -1;
    onBody(body);
  });
}
