/** Bounds the calls that are worked on at once; those that find no place wait in a queue. */
export interface CallLimiter {
  /** False where the queue is full, or where `signal` aborted before there was a place. `leave` follows each true. */
  enter(signal: AbortSignal): boolean | Promise<boolean>;
  leave(): void;
}

interface Waiting {
  readonly start: () => void;
}

export function createCallLimiter(atOnce: number, queued: number): CallLimiter {
  // A Set keeps the order in which calls came, and gives up a place in the middle at once.
  const waiting = new Set<Waiting>();
  let inFlight = 0;

  function wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const place: Waiting = {
        start() {
          signal.removeEventListener("abort", giveUp);
          resolve(true);
        },
      };
      function giveUp(): void {
        waiting.delete(place);
        resolve(false);
      }
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.add(place);
    });
  }

  return {
    enter(signal) {
      if (inFlight < atOnce) {
        inFlight += 1;
        return true;
      }
      if (signal.aborted || waiting.size >= queued) return false;
      return wait(signal);
    },
    leave() {
      const [next] = waiting;
      if (next === undefined) {
        inFlight -= 1;
        return;
      }
      waiting.delete(next);
      next.start();
    },
  };
}
