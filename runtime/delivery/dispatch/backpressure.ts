/** Slows the outbox poller: counts claimed jobs that are not being sent yet. */
export interface Backpressure {
  claimed(count: number): void;
  /** One job is being sent, or was released. */
  started(): void;
  /** Resolves once fewer than 128 jobs wait, after 50 ms at the latest: a slow endpoint delays no other one. */
  belowLimit(): Promise<void>;
}

const waitingMax = 128;
const waitMsMax = 50;

export function createBackpressure(): Backpressure {
  let waiting = 0;
  let resume: (() => void) | undefined;

  return {
    claimed(count) {
      waiting += count;
    },
    started() {
      waiting -= 1;
      if (waiting < waitingMax) resume?.();
    },
    async belowLimit() {
      if (waiting < waitingMax) return;
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, waitMsMax);
        resume = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
      resume = undefined;
    },
  };
}
