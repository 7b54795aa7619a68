/** Wakes the one loop that waits for it. A wake before the wait is kept; several before one wait count as one. */
export interface Signal {
  wake(): void;
  wait(): Promise<void>;
  /** Forgets a wake that no wait has taken. */
  reset(): void;
}

export function createSignal(): Signal {
  let isWoken = false;
  let resume: (() => void) | undefined;

  return {
    wake() {
      isWoken = true;
      resume?.();
    },
    async wait() {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
      isWoken = false;
      resume = undefined;
    },
    reset() {
      isWoken = false;
    },
  };
}
