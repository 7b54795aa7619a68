/** Draws from one seed: the same seed gives the same projection on every machine. */
export interface Random {
  /** From 0 up to 1. */
  uniform(): number;
  exponential(mean: number): number;
  /** Around a mean, as times on a busy machine are: one in a hundred is three times the median. */
  around(mean: number): number;
  /** One, by its share. */
  pick<T extends { readonly share: number }>(choices: readonly T[]): T;
}

/** Sigma of the logarithm: the 99th percentile is three times the median. */
const sigma = Math.log(3) / 2.326;

/** Mulberry32, a small generator of 32 bits. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    around: (mean) => mean * Math.exp(sigma * normal() - sigma ** 2 / 2),
    pick(choices) {
      let left = uniform();
      for (const choice of choices) {
        left -= choice.share;
        if (left < 0) return choice;
      }
      const last = choices.at(-1);
      if (last === undefined) throw new Error("nothing to pick from");
      return last;
    },
  };
}
