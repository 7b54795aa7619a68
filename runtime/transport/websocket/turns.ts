/** Shares the turns of the event loop between the connections that have messages to begin. */
export interface Turns {
  /** Whether a connection may begin a message now. Otherwise `goOn` follows in a later turn. */
  take(goOn: () => void): boolean;
  /** The connection has no more messages. */
  drop(goOn: () => void): void;
}

/** So many messages are begun in one turn, over all connections. */
const perTurnMax = 16;

export function createTurns(): Turns {
  /** In the order in which they have their turn: one message each while others wait. */
  const waiting = new Set<() => void>();
  let isTurn = false;
  let begun = 0;
  let granted: (() => void) | undefined;

  function begin(): void {
    isTurn = true;
    begun = 0;
    setImmediate(next);
  }

  function next(): void {
    isTurn = false;
    if (waiting.size === 0) return;
    begin();
    // Each connection once: those that take one and have more stand behind the others.
    for (const goOn of [...waiting].slice(0, perTurnMax)) {
      waiting.delete(goOn);
      granted = goOn;
      goOn();
    }
    granted = undefined;
  }

  return {
    take(goOn) {
      if (!isTurn) begin();
      const isGranted = granted === goOn;
      if (isGranted) granted = undefined;
      if (begun < perTurnMax && (isGranted || waiting.size === 0)) {
        begun += 1;
        return true;
      }
      waiting.add(goOn);
      return false;
    },
    drop: (goOn) => void waiting.delete(goOn),
  };
}
