import { createLoopTurn } from "./loop-turn.ts";

/**
 * Whether connections are arriving faster than they are accepted. Node accepts one in each turn of the event loop, in the
 * order of their arrival, so a health check on a new connection waits for those before it. Turns are kept short then.
 */
export interface ConnectionBurst {
  /** A connection was accepted. */
  accepted(): void;
  isOn(): boolean;
  /** How much work may be begun in a turn of the event loop: `usual`, `inBurst`, or none while many connections come in. */
  perTurn(usual: number, inBurst: number): number;
}

/** Turns after the last accepted connection: the next one is accepted in the turn after at the latest. */
const turnsAfter = 2;
/** A burst of this many connections is let in before anything else is done, */
const manyConnections = 32;
/** which takes this long at most, */
const acceptingMsMax = 200;
/** and happens this often: callers that go on opening connections get a tenth of the time. */
const acceptingEveryMs = 2_000;

/** One for the process. */
export function createConnectionBurst(nowMs: () => number = () => performance.now()): ConnectionBurst {
  const turn = createLoopTurn();
  let last = -Infinity;
  let count = 0;
  let acceptingSinceMs = -Infinity;
  const isOn = (): boolean => turn.now() - last <= turnsAfter;
  const isAccepting = (): boolean => nowMs() - acceptingSinceMs < acceptingMsMax;
  return {
    accepted() {
      count = isOn() ? count + 1 : 1;
      last = turn.now();
      if (count === manyConnections && nowMs() - acceptingSinceMs > acceptingEveryMs)
        acceptingSinceMs = nowMs();
    },
    isOn,
    perTurn(usual, inBurst) {
      if (!isOn()) return usual;
      return isAccepting() ? 0 : inBurst;
    },
  };
}
