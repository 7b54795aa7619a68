import { omitUndefined } from "../base/omit-undefined.ts";
import { CircuitBreaker, interrupted, type Outcome, skipped, type Verdict } from "../session/outcome.ts";
import type { RunOptions } from "./open-run.ts";
import { lacksText } from "../session/capabilities.ts";
import type { RunContext } from "../session/context.ts";
import type { Case } from "../suite/case.ts";
import type { Scenario } from "../suite/suite.ts";
import type { PreflightResult } from "./preflight.ts";

const enough = "enough failures were found";
const notTried = "the first answers made it pointless";

/** A case or a scenario, as a report names it. */
export interface Titled extends Pick<Case, "id" | "method" | "title" | "level" | "origin" | "rule"> {
  /** The operations without which it cannot be tried. */
  readonly methods: readonly string[];
  readonly scenario?: Pick<Scenario, "name">;
}

export interface SettlingOptions {
  readonly context: RunContext;
  readonly missing: PreflightResult["missing"];
  readonly abortReason: PreflightResult["abortReason"];
  readonly startedAt: number;
  readonly total: number;
}

/** Does the work of a case, unless something makes it pointless, and keeps its outcome. */
export function createSettling(options: RunOptions, run: SettlingOptions) {
  const { context, missing, abortReason, startedAt, total } = run;
  const { claims } = context;
  const outcomes = new Map<string, Outcome>();
  const breaker = new CircuitBreaker();
  let failed = abortReason === undefined ? 0 : 1;

  function reasonToSkip(each: Titled): string | undefined {
    if (abortReason !== undefined) return notTried;
    if (options.signal?.aborted === true) return interrupted;
    if (failed >= (options.failuresMax ?? Infinity)) return enough;
    const absent = each.methods.map((name) => missing.get(name)).find((reason) => reason !== undefined);
    const { origin: decisions, rule, scenario } = each;
    const lacking = claims.lacking(omitUndefined({ decisions, rule, scenario: scenario?.name }));
    return (
      absent?.reason ??
      (lacking === undefined ? undefined : lacksText(lacking)) ??
      breaker.skipReason(each.methods)
    );
  }

  async function settle(each: Titled, work: () => Promise<Verdict>): Promise<void> {
    const startedMs = performance.now() - startedAt;
    const why = reasonToSkip(each);
    const verdict = why === undefined ? await work() : skipped(why);
    if (verdict.status === "failed") failed += 1;
    breaker.record(each.method, verdict);
    outcomes.set(each.id, outcomeOf(each, verdict, startedMs, performance.now() - startedAt));
    if (abortReason === undefined)
      options.onProgress?.({ done: outcomes.size, total, failed, at: each.method });
  }

  return { settle, outcomes };
}

function outcomeOf(
  { id, method, title, level, origin, rule }: Titled,
  verdict: Verdict,
  startedMs: number,
  endedMs: number,
): Outcome {
  return omitUndefined({
    id,
    method,
    title,
    level,
    origin,
    rule,
    ...verdict,
    startedMs,
    elapsedMs: endedMs - startedMs,
  });
}
