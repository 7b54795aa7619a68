/** Lets the rest of the process have its turn while batches are at work. */
export type GiveWay = () => Promise<void> | undefined;

/** So long batches are worked on in one turn of the event loop. */
const turnMs = 5;
/** So many of those that wait go on in the next one. */
const resumedPerTurn = 16;

/** Asked after each call of a batch. Nothing while there is time left in this turn. */
export function createGiveWay(): GiveWay {
  const waiting = new Set<() => void>();
  let isTurn = false;
  let sinceMs = 0;

  function begin(): void {
    isTurn = true;
    sinceMs = performance.now();
    setImmediate(next);
  }

  function next(): void {
    isTurn = false;
    if (waiting.size > 0) begin();
    let left = resumedPerTurn;
    for (const resume of waiting) {
      if (left === 0) return;
      left -= 1;
      waiting.delete(resume);
      resume();
    }
  }

  return () => {
    if (!isTurn) begin();
    if (performance.now() - sinceMs < turnMs) return undefined;
    return new Promise((resolve) => waiting.add(resolve));
  };
}
