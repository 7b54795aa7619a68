/** Numbers the turns of the event loop: what arrived in one chunk of a connection has the same number. */
export interface LoopTurn {
  now(): number;
}

export function createLoopTurn(): LoopTurn {
  let number = 0;
  let counting = false;
  const next = (): void => {
    number += 1;
    counting = false;
  };
  return {
    now() {
      if (!counting) {
        counting = true;
        setImmediate(next);
      }
      return number;
    },
  };
}
