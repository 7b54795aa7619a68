let number = 0;
let counting = false;

/** The number of this turn of the event loop: what arrived in one chunk of a connection has the same number. */
export function loopTurn(): number {
  if (!counting) {
    counting = true;
    setImmediate(next);
  }
  return number;
}

function next(): void {
  number += 1;
  counting = false;
}
