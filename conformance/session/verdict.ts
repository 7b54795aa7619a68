import type { Finding } from "../response/finding.ts";
import { isWithin, type Level } from "../suite/level.ts";
import type { CallFailed } from "./context.ts";
import type { Exchange, Outcome } from "./outcome.ts";

export type Verdict = Pick<Outcome, "status" | "findings" | "exchanges"> & {
  readonly reason?: string;
  readonly replay?: string;
};

export function noAnswer(error: CallFailed): Verdict {
  const finding: Finding = {
    check: "answer",
    level: "document",
    expected: "an answer",
    found: error.message,
  };
  return { status: "failed", findings: [finding], exchanges: [error.exchange] };
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
