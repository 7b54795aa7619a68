/** Knows how much is claimed and not yet being sent, so that no more is made ready than is soon sent. */
export interface Backpressure {
  claimed(count: number): void;
  /** One of them is being sent, or given back. */
  started(): void;
  /** Resolves once little is left to begin, and soon in any case: what is slow keeps nobody else waiting. */
  relieved(): Promise<void>;
}

const leftMax = 128;
const waitedMsMax = 50;

export function createBackpressure(): Backpressure {
  let left = 0;
  let tell: (() => void) | undefined;

  return {
    claimed(count) {
      left += count;
    },
    started() {
      left -= 1;
      if (left < leftMax) tell?.();
    },
    async relieved() {
      if (left < leftMax) return;
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, waitedMsMax);
        tell = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
      tell = undefined;
    },
  };
}
