/** The middle, the least and the most of several values. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
  };
}

/** Of values in ascending order, the one below which `share` of them lie. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** Each value divided by the base's value of the same round, so that a change of the machine's pace meets both. */
export function ratiosOf(values: readonly number[], base: readonly number[]): readonly number[] {
  return values.flatMap((value, round) => {
    const divisor = base[round];
    return divisor === undefined ? [] : [value / divisor];
  });
}
