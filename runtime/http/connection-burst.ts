import { createLoopTurn } from "./loop-turn.ts";

/**
 * Whether connections are arriving faster than they are accepted. Node accepts one in each turn of the event loop, in the
 * order of their arrival, so a health check on a new connection waits for those before it. Turns are kept short then.
 */
export interface ConnectionBurst {
  /** A connection was accepted. */
  accepted(): void;
  isOn(): boolean;
}

/** Turns after the last accepted connection: the next one is accepted in the turn after at the latest. */
const turnsAfter = 2;

/** One for the process. */
export function createConnectionBurst(): ConnectionBurst {
  const turn = createLoopTurn();
  let last = -Infinity;
  return {
    accepted() {
      last = turn.now();
    },
    isOn: () => turn.now() - last <= turnsAfter,
  };
}
