import type { MissingValue } from "../request/resolve-value.ts";
import { finding, type Finding } from "../response/finding.ts";
import { isWithin, type Level } from "../suite/level.ts";
import type { Suite } from "../suite/suite.ts";

/** The case that fails where the preflight ended the run. */
export const contactId = "(endpoint)/contact";

/** Why cases were skipped after the run was interrupted. */
export const interrupted = "the run was interrupted";

/** How a case came out. */
export interface Outcome {
  readonly id: string;
  readonly method: string;
  readonly title: string;
  readonly level: Level;
  readonly origin: readonly string[];
  readonly rule?: string;
  /** `broken`: the case itself was wrong, which says nothing about the service. */
  readonly status: "passed" | "failed" | "skipped" | "broken";
  /** Why it was skipped or is broken. */
  readonly reason?: string;
  /** The findings that count at the level of the run. */
  readonly findings: readonly Finding[];
  /** The requests and responses, where there are findings. */
  readonly exchanges: readonly Exchange[];
  /** For a fault of every answer: the cases that saw it. */
  readonly seenIn?: readonly string[];
  /** The argument of `--replay` that shows the failure once more. */
  readonly replay?: string;
  /** Milliseconds since the run began. */
  readonly startedMs: number;
  readonly elapsedMs: number;
}

export interface Exchange {
  /** With a comment that says what it is for, where it is one of several steps. Without credentials: see `curlPreparation`. */
  readonly curl: string;
  /** Status line and body, or why there was none. */
  readonly answer: string;
}

/** Of an outcome that is about no single case. */
export const untimed = { startedMs: 0, elapsedMs: 0 } as const;

export type Verdict = Pick<Outcome, "status" | "findings" | "exchanges"> & {
  readonly reason?: string;
  readonly replay?: string;
};

export function noAnswer(error: { readonly message: string; readonly exchange: Exchange }): Verdict {
  return failed(finding("answer", "document", "an answer", error.message), error.exchange);
}

export function failed(found: Finding, exchange: Exchange): Verdict {
  return { status: "failed", findings: [found], exchanges: [exchange] };
}

/** The verdict at a level, by the findings that count there. */
export function verdict(findings: readonly Finding[], level: Level, exchanges: readonly Exchange[]): Verdict {
  const counting = findings.filter((finding) => isWithin(finding.level, level));
  return counting.length === 0
    ? { status: "passed", findings: [], exchanges: [] }
    : { status: "failed", findings: counting, exchanges };
}

export function skipped(reason: string): Verdict {
  return { status: "skipped", reason, findings: [], exchanges: [] };
}

/** Why a case is skipped that needs a missing value. */
export function missingReason({ valueName: name, why }: MissingValue, { resources }: Suite): string {
  if (name === "callbackUrl")
    return "needs an address that the service can send events to: see --callback-url";
  const resource = resources.find(({ samples }) => samples.includes(name));
  if (resource?.made !== undefined && resource.absent === undefined)
    return `needs a ${resource.name}, which only an operator can make`;
  return `needs ${name}, which ${why}`;
}

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
