import { ratiosOf, spreadOf, type Spread } from "./statistics.ts";

/** One measure of one contestant, taken once a round. */
export interface Figure {
  /** The measured part: `signed GetAccount`. */
  readonly part: string;
  readonly contestant: string;
  /** `CPU`, `throughput`, `p99`. */
  readonly measure: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly values: readonly number[];
  readonly spread: Spread;
  /** To the base contestant of the same part and measure, round by round. */
  readonly ratio?: Spread & { readonly to: string };
  readonly goal?: Goal;
}

/** The bounds that a figure's median, or the median of its ratio, is held to. */
export interface Goal {
  readonly of: "value" | "ratio";
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Values of several contestants, a list of rounds each, as figures; ratios are those to `base`, where one is named. */
export interface Measured {
  readonly part: string;
  readonly measure: string;
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly base?: string;
  readonly goals?: Readonly<Record<string, Goal>>;
  readonly rounds: ReadonlyMap<string, readonly number[]>;
}

export function figuresOf({ rounds, base, goals = {}, ...shared }: Measured): readonly Figure[] {
  const baseValues = base === undefined ? undefined : rounds.get(base);
  return [...rounds].map(([contestant, values]) => {
    const goal = goals[contestant];
    const ratio =
      base === undefined || baseValues === undefined || contestant === base
        ? undefined
        : { to: base, ...spreadOf(ratiosOf(values, baseValues)) };
    return {
      ...shared,
      contestant,
      values,
      spread: spreadOf(values),
      ...(ratio === undefined ? {} : { ratio }),
      ...(goal === undefined ? {} : { goal }),
    };
  });
}

/** Whether a figure keeps its goal; nothing where it has none. */
export function keepsGoal({ spread, ratio, goal }: Figure): boolean | undefined {
  const value = goal?.of === "value" ? spread.median : ratio?.median;
  if (goal === undefined || value === undefined) return undefined;
  const { atMost = Infinity, atLeast = -Infinity } = goal;
  return value <= atMost && value >= atLeast;
}
