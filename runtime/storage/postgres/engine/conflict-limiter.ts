/** How many transactions run at once: fewer where they meet each other, more where they do not. */
export interface ConflictLimiter {
  /** Resolves when the transaction may begin. */
  enter(): Promise<void>;
  leave(outcome: "done" | "conflict"): void;
}

/**
 * Additive increase, multiplicative decrease: transactions over the same records are sooner done one after the other
 * than run again and again; others run side by side. Who came first begins first.
 */
export function createConflictLimiter(max: number): ConflictLimiter {
  let limit = max;
  let running = 0;
  const waiting: (() => void)[] = [];

  function goOn(): void {
    while (running < Math.max(1, Math.floor(limit))) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next();
    }
  }

  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        goOn();
      }),
    leave: (outcome) => {
      running -= 1;
      limit = outcome === "conflict" ? Math.max(1, limit / 2) : Math.min(max, limit + 1 / limit);
      goOn();
    },
  };
}
