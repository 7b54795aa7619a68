/** How many transactions run at once: fewer where they meet each other, more where they do not. */
export interface ConflictLimiter {
  /** Resolves when the transaction may begin, with what is to be called once it has ended. */
  enter(): Promise<Leave>;
}

export type Leave = (outcome: "done" | "conflict") => void;

/** A longer transaction may never be answered. It no longer counts against the limit, but against the most of all. */
const recentMs = 1_000;

/**
 * Additive increase, multiplicative decrease: transactions over the same records are sooner done one after the other
 * than run again and again; others run side by side. Who came first begins first.
 */
export function createConflictLimiter(max: number): ConflictLimiter {
  let limit = max;
  let running = 0;
  let recent = 0;
  const waiting: (() => void)[] = [];

  const hasRoom = (): boolean => running < max && recent < Math.max(1, Math.floor(limit));
  function goOn(): void {
    while (hasRoom()) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
  function begin(): Leave {
    let isRecent = true;
    running += 1;
    recent += 1;
    const age = (): void => {
      if (isRecent) recent -= 1;
      isRecent = false;
    };
    const timeout = setTimeout(() => {
      age();
      goOn();
    }, recentMs);
    return (outcome) => {
      clearTimeout(timeout);
      age();
      running -= 1;
      limit = outcome === "conflict" ? Math.max(1, limit / 2) : Math.min(max, limit + 1 / limit);
      goOn();
    };
  }

  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(begin()));
        goOn();
      }),
  };
}
