import { loopTurn } from "./loop-turn.ts";

/**
 * Whether connections are arriving faster than they are accepted. Node accepts one in each turn of the event loop, in the
 * order of their arrival, so a health check on a new connection waits for those before it. Turns are kept short then.
 */
export interface ConnectionBurst {
  /** A connection was accepted. */
  accepted(): void;
  isOn(): boolean;
  /**
   * How much work may be begun in a turn of the event loop: `usual`, `inBurst`, or none while many connections come in. Where
   * turns are long for other reasons, `inBurst` is for each millisecond of the last one: the calls already accepted would
   * wait longest.
   */
  perTurn(usual: number, inBurst: number): number;
}

/** Turns after the last accepted connection: the next one is accepted in the turn after at the latest. */
const turnsAfter = 2;
/** A burst of this many connections is let in before anything else is done, */
const manyConnections = 32;
/** which takes this long at most, */
const acceptingMsMax = 200;
/** and comes back at this share of the time: callers that go on opening connections get no more. */
const acceptingShare = 1 / 5;

/** One for the process. */
export function createConnectionBurst(nowMs: () => number = () => performance.now()): ConnectionBurst {
  let last = -Infinity;
  let count = 0;
  /** Time that nothing else may be begun, as of `seenMs`. */
  let leftMs = acceptingMsMax;
  let seenMs = nowMs();
  let isAccepting = false;
  /** The last turn in which work was asked for, when that was, and how long turns took since the one before. */
  let turn = loopTurn();
  let turnAtMs = nowMs();
  let turnMs = 0;
  const isOn = (): boolean => loopTurn() - last <= turnsAfter;

  function see(): void {
    const elapsedMs = nowMs() - seenMs;
    seenMs += elapsedMs;
    leftMs = isAccepting
      ? Math.max(-acceptingMsMax, leftMs - elapsedMs)
      : Math.min(acceptingMsMax, leftMs + elapsedMs * acceptingShare);
  }

  function seeTurn(): void {
    const now = loopTurn();
    if (now === turn) return;
    const atMs = nowMs();
    turnMs = (atMs - turnAtMs) / (now - turn);
    [turn, turnAtMs] = [now, atMs];
  }

  return {
    accepted() {
      count = isOn() ? count + 1 : 1;
      last = loopTurn();
    },
    isOn,
    perTurn(usual, inBurst) {
      see();
      seeTurn();
      isAccepting = isOn() && count >= manyConnections && leftMs > 0;
      if (isAccepting) return 0;
      return isOn() ? Math.min(usual, Math.floor(inBurst * Math.max(1, turnMs))) : usual;
    },
  };
}
