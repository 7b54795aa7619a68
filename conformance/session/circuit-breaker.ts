import type { Verdict } from "./verdict.ts";

const perMethodMax = 5;
const inAllMax = 40;

/** Counts requests without an answer: where there were many, waiting for more would take an hour and say nothing new. */
export class CircuitBreaker {
  readonly #counts = new Map<string, number>();
  #inAll = 0;

  record(method: string, { findings }: Verdict): void {
    if (!findings.some(({ check }) => check === "answer")) return;
    this.#counts.set(method, (this.#counts.get(method) ?? 0) + 1);
    this.#inAll += 1;
  }

  /** Why cases of these operations need not be tried any more; undefined where they should be. */
  skipReason(methods: readonly string[]): string | undefined {
    if (this.#inAll >= inAllMax)
      return `the service gave no answer ${inAllMax} times: the rest was not tried`;
    const silent = methods.find((method) => (this.#counts.get(method) ?? 0) >= perMethodMax);
    return silent === undefined
      ? undefined
      : `${silent} gave no answer ${perMethodMax} times: the rest of it was not tried`;
  }
}
