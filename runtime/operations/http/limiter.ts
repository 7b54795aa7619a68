import { createCounts, createFairQueue, hasShare, type Fifo, createFifo } from "../../contract/queues.ts";
import { type BodyRoom, createBodyRoom } from "../../transport/http/bodies.ts";
import type { CallAdmission, Permit } from "../../transport/http/endpoint.ts";

/**
 * Bounds the calls that the process works on at once, over all ports. A call that finds no permit waits in a queue.
 * Calls of connections with nothing else outstanding go ahead of pipelined ones. A quarter of the permits given under
 * load goes to pipelined calls, so that they always get some. One user holds seven eighths of the permits at most.
 *
 * A service without it bounds its own calls (`service/limiter.ts`), and shares them by address: it knows no users. Behind a
 * proxy all users have one address, and one user may come from many. So a process with users asks twice, before and after
 * the caller is known, and refuses by the time that a call would wait.
 */
export interface WorkLimiter extends Pick<CallAdmission, "enter"> {
  /** Counts the bytes of unfinished bodies. */
  readonly bodies: BodyRoom;
  load(): Load;
}

interface Load {
  readonly inFlight: number;
  /** Calls on their own, and calls beyond the shares of their users. */
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

/** What a call at work counts as. */
interface Counted {
  readonly pipelined: boolean;
  /** Absent until it is known. */
  readonly userName?: string;
}

interface Waiting {
  readonly as: Counted;
  readonly sinceMs: number;
  readonly resolve: (isPermitted: boolean) => void;
}

/** Pipelined calls get every fourth permit while others wait. */
const othersInARow = 3;
/** Pipelined calls hold at most this share of the permits: the fewer, the sooner a call on its own gets its turn. */
const pipelinedShare = 1 / 8;

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
  const beyondShare = createFairQueue<Waiting>({ perCallerMax: Infinity, totalMax: Infinity });
  const rate = createServiceRate(nowMs);
  const heldBy = createCounts();
  let inFlight = 0;
  let pipelinedInFlight = 0;
  /** Calls at work whose user is known. */
  let identified = 0;
  let inARow = 0;
  let isTurnOfKnown = false;
  const bodies = createBodyRoom(bodyBytesMax);
  let timer: NodeJS.Timeout | undefined;

  const waiting = (): number => single.length + pipelinedCalls.length + beyondShare.size;
  const mayHoldMore = (userName: string): boolean => hasShare(heldBy.of(userName), requestsMax - identified);

  function count({ pipelined, userName }: Counted, by: 1 | -1): void {
    inFlight += by;
    if (pipelined) pipelinedInFlight += by;
    if (userName === undefined) return;
    identified += by;
    heldBy.add(userName, by);
  }

  function wait(as: Counted, push: (call: Waiting) => void): Promise<boolean> {
    if (waiting() === 0) rate.begin();
    timer ??= setInterval(refuseStalled, queueMaxMs / 2).unref();
    return new Promise((resolve) => push({ as, sinceMs: nowMs(), resolve }));
  }

  function isLate({ sinceMs }: Waiting, patience: number): boolean {
    return sinceMs < nowMs() - patience * queueMaxMs;
  }

  /** Refuses calls that have waited too long: the service has stalled since they were queued. */
  function refuseStalled(): void {
    rate.tick();
    refuseFrom(() => shiftIf(single, (call) => isLate(call, singlePatience)));
    refuseFrom(() => shiftIf(pipelinedCalls, (call) => isLate(call, pipelinedPatience)));
    refuseFrom(() => beyondShare.shift((_, call) => isLate(call, singlePatience))?.item);
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function nextNew(): Waiting | undefined {
    const mayPipelined = pipelinedCalls.length > 0 && pipelinedInFlight < pipelinedMax;
    const pipelined = mayPipelined && (single.length === 0 || inARow >= othersInARow);
    const next = (pipelined ? pipelinedCalls : single).shift();
    if (next !== undefined) inARow = pipelined ? 0 : inARow + 1;
    return next;
  }

  /** Calls of known users and new ones take turns. */
  function startWaiting(): void {
    while (inFlight < requestsMax) {
      const nextKnown = (): Waiting | undefined => beyondShare.shift(mayHoldMore)?.item;
      isTurnOfKnown = !isTurnOfKnown;
      const next = isTurnOfKnown ? (nextKnown() ?? nextNew()) : (nextNew() ?? nextKnown());
      if (next === undefined) return;
      count(next.as, 1);
      next.resolve(true);
    }
  }

  function end(as: Counted): void {
    count(as, -1);
    if (waiting() === 0) return;
    rate.completed();
    startWaiting();
  }

  /** The permit of a call that is counted already. */
  function permitOf(first: Counted): Permit {
    let counted: Counted | undefined = first;
    let hasLeft = false;

    /** Waits as a call on its own: a place among the pipelined ones is not held meanwhile. */
    async function waitForShare(userName: string): Promise<boolean> {
      const as = { pipelined: false, userName };
      const turn = wait(as, (call) => beyondShare.push(userName, call));
      startWaiting();
      const isPermitted = await turn;
      if (isPermitted && hasLeft) end(as);
      else if (isPermitted) counted = as;
      return isPermitted;
    }

    return {
      identify(userName) {
        count(first, -1);
        counted = mayHoldMore(userName) ? { ...first, userName } : undefined;
        if (counted !== undefined) {
          count(counted, 1);
          return true;
        }
        if (rate.expectedMs(beyondShare.size + 1) <= queueMaxMs) return waitForShare(userName);
        startWaiting();
        return false;
      },
      leave() {
        hasLeft = true;
        if (counted !== undefined) end(counted);
        counted = undefined;
      },
    };
  }

  return {
    enter(pipelined) {
      const as = { pipelined };
      const line = pipelined ? pipelinedCalls : single;
      const isFree = inFlight < requestsMax && (!pipelined || pipelinedInFlight < pipelinedMax);
      if (isFree && line.length === 0) {
        count(as, 1);
        return permitOf(as);
      }
      if (!pipelined && rate.expectedMs(single.length + 1) > queueMaxMs) return "overloaded";
      return wait(as, (call) => line.push(call)).then((isPermitted) =>
        isPermitted ? permitOf(as) : "overloaded",
      );
    },
    bodies,
    load: () => ({
      inFlight,
      waiting: single.length + beyondShare.size,
      pipelinedWaiting: pipelinedCalls.length,
      bodyBytes: bodies.held,
    }),
  };
}

function shiftIf(line: Fifo<Waiting>, holds: (first: Waiting) => boolean): Waiting | undefined {
  const first = line.peek();
  return first !== undefined && holds(first) ? line.shift() : undefined;
}

/** Refuses what `next` gives, until there is no more. */
function refuseFrom(next: () => Waiting | undefined): void {
  for (let call = next(); call !== undefined; call = next()) call.resolve(false);
}

/** Measures how fast calls are completed while others wait, to foresee how long the queue takes. */
interface ServiceRate {
  /** The queue was empty and is no longer: what was completed before says nothing about a busy service. */
  begin(): void;
  completed(): void;
  /** Called at even intervals while calls wait: two without a completion are a stall. */
  tick(): void;
  /** Expected time until `waiting` calls are completed. Milliseconds; infinite in a stall. */
  expectedMs(waiting: number): number;
}

/** Length of a measurement: long enough for slow commits. */
const windowMs = 100;
const stallTicks = 2;

export function createServiceRate(nowMs: () => number): ServiceRate {
  let startedAtMs = nowMs();
  let count = 0;
  let idleTicks = 0;
  /** Infinite until the first window is full: a burst is not refused on a guess. */
  let perMs = Infinity;

  return {
    begin() {
      startedAtMs = nowMs();
      count = 0;
      idleTicks = 0;
    },
    completed() {
      count += 1;
      idleTicks = 0;
      const elapsedMs = nowMs() - startedAtMs;
      if (elapsedMs < windowMs) return;
      perMs = count / elapsedMs;
      startedAtMs += elapsedMs;
      count = 0;
    },
    tick() {
      idleTicks += 1;
    },
    expectedMs: (waiting) => (idleTicks >= stallTicks ? Infinity : waiting / perMs),
  };
}
