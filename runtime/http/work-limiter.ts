import { createBodyRoom, createFifo, type BodyRoom, type Fifo } from "../connections/index.ts";
import { createServiceRate } from "./service-rate.ts";

/** Whether a call may be worked on. */
export type Admission = "permitted" | "overloaded";

/**
 * Bounds the calls that the process works on at once, over all ports. A call that finds no permit waits in a queue.
 * Calls of connections that have nothing else outstanding go ahead of pipelined ones; a quarter of the permits given
 * under load goes to pipelined calls, so that they always get some.
 */
export interface WorkLimiter {
  /**
   * Asks for a permit. `overloaded` where the queue would take longer than `queueMaxMs`; a permit must be given back
   * by `leave` with the same `pipelined`.
   */
  enter(pipelined: boolean): Admission | Promise<Admission>;
  leave(pipelined: boolean): void;
  /** Accounts for the bytes of unfinished bodies. */
  readonly bodies: BodyRoom;
  /** Whether enough pipelined calls wait for the permits that come free next. */
  isBusy(): boolean;
  load(): Load;
}

export interface Load {
  readonly inFlight: number;
  readonly waiting: number;
  readonly pipelinedWaiting: number;
  readonly bodyBytes: number;
}

export interface WorkLimits {
  /** Calls worked on at once. Default 128. */
  readonly requestsMax?: number;
  /** Longest expected time in the queue; further calls are refused. Default 500. */
  readonly queueMaxMs?: number;
  /** Bytes of unfinished bodies held at once. Default 64 MiB. */
  readonly bodyBytesMax?: number;
  /** For tests. */
  readonly nowMs?: () => number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly resolve: (admission: Admission) => void;
}

/** Pipelined calls get every fourth permit while others wait. */
const othersInARow = 3;
/** Pipelined calls hold at most this share of the permits: the fewer, the sooner a call on its own gets its turn. */
const pipelinedShare = 1 / 8;

/** Pipelined calls are many when that many times their permits wait. */
const busyAt = 1;
/** After how many times `queueMaxMs` a queued call is refused after all. Pipelined calls are held back before that. */
const singlePatience = 2;
const pipelinedPatience = 10;

/** One for the process. */
// oxlint-disable-next-line max-lines-per-function -- every step changes the same counts of calls at work and waiting
export function createWorkLimiter(limits: WorkLimits = {}): WorkLimiter {
  const { requestsMax = 128, queueMaxMs = 500, bodyBytesMax = 64 * 1024 * 1024 } = limits;
  const nowMs = limits.nowMs ?? (() => performance.now());
  const pipelinedMax = Math.max(1, Math.floor(requestsMax * pipelinedShare));
  const single = createFifo<Waiting>();
  const pipelinedCalls = createFifo<Waiting>();
  const lines = [
    [single, singlePatience],
    [pipelinedCalls, pipelinedPatience],
  ] as const;
  const rate = createServiceRate(nowMs);
  let inFlight = 0;
  let pipelinedInFlight = 0;
  let inARow = 0;
  const bodies = createBodyRoom(bodyBytesMax);
  let timer: NodeJS.Timeout | undefined;

  function start(pipelined: boolean): "permitted" {
    inFlight += 1;
    if (pipelined) pipelinedInFlight += 1;
    return "permitted";
  }

  function wait(pipelined: boolean): Promise<Admission> {
    if (single.length + pipelinedCalls.length === 0) rate.begin();
    timer ??= setInterval(refuseStalled, queueMaxMs / 2).unref();
    return new Promise((resolve) => {
      (pipelined ? pipelinedCalls : single).push({ sinceMs: nowMs(), resolve });
    });
  }

  /** Refuses calls that have waited too long: the service has stalled since they were queued. */
  function refuseStalled(): void {
    rate.tick();
    for (const [line, patience] of lines) {
      refuseBefore(line, nowMs() - patience * queueMaxMs);
    }
    if (single.length + pipelinedCalls.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function startWaiting(): void {
    while (inFlight < requestsMax) {
      const mayPipelined = pipelinedCalls.length > 0 && pipelinedInFlight < pipelinedMax;
      const pipelined = mayPipelined && (single.length === 0 || inARow >= othersInARow);
      const next = (pipelined ? pipelinedCalls : single).shift();
      if (next === undefined) return;
      inARow = pipelined ? 0 : inARow + 1;
      next.resolve(start(pipelined));
    }
  }

  return {
    enter(pipelined) {
      if (pipelined) {
        const free = inFlight < requestsMax && pipelinedInFlight < pipelinedMax;
        return free && pipelinedCalls.length === 0 ? start(true) : wait(true);
      }
      if (inFlight < requestsMax && single.length === 0) return start(false);
      return rate.expectedMs(single.length + 1) > queueMaxMs ? "overloaded" : wait(false);
    },
    leave(pipelined) {
      inFlight -= 1;
      if (pipelined) pipelinedInFlight -= 1;
      if (single.length + pipelinedCalls.length === 0) return;
      rate.completed();
      startWaiting();
    },
    bodies,
    isBusy: () => pipelinedCalls.length > busyAt * pipelinedMax,
    load: () => ({
      inFlight,
      waiting: single.length,
      pipelinedWaiting: pipelinedCalls.length,
      bodyBytes: bodies.held,
    }),
  };
}

/** Refuses the calls of a line that were queued before a time. */
function refuseBefore(line: Fifo<Waiting>, beforeMs: number): void {
  for (let first = line.peek(); first !== undefined && first.sinceMs < beforeMs; first = line.peek()) {
    line.shift()?.resolve("overloaded");
  }
}
