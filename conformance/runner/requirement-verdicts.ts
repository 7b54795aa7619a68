import { omitUndefined } from "../base/omit-undefined.ts";
import type { Outcome } from "../session/outcome.ts";
import type { SpecReference } from "../suite/level.ts";
import type { RequirementEntry, Suite } from "../suite/suite.ts";
import { unpackedIds } from "../suite/packed-ids.ts";

/** Whether a sentence that binds holds, as far as it was tried. */
export interface RequirementVerdict extends SpecReference {
  readonly id: string;
  readonly sentence: string;
  /** `untested`: no case can show it. `untried`: none of its cases ran. */
  readonly verdict: "holds" | "broken" | "untried" | "untested";
  /** Why no case can show it. */
  readonly reason?: string;
  readonly cases: readonly string[];
  /** Those of its cases that failed. */
  readonly failed: readonly string[];
}

/** Verdicts on sentences, from the outcomes of their cases. */
export function requirementVerdicts(
  { requirements }: Suite,
  outcomes: readonly Outcome[],
): readonly RequirementVerdict[] {
  const statuses = new Map(outcomes.map(({ id, status }) => [id, status]));
  return requirements.map(({ cases: packed, untested, ...requirement }) => {
    const cases = packed.flatMap(unpackedIds);
    const failed = cases.filter((id) => statuses.get(id) === "failed");
    return {
      ...requirement,
      verdict: untested === undefined ? verdictOf(cases, failed, statuses) : "untested",
      ...omitUndefined({ reason: untested }),
      cases,
      failed,
    };
  });
}

function verdictOf(
  cases: readonly string[],
  failed: readonly string[],
  statuses: ReadonlyMap<string, Outcome["status"]>,
): RequirementVerdict["verdict"] {
  if (failed.length > 0) return "broken";
  return cases.some((id) => statuses.get(id) === "passed") ? "holds" : "untried";
}

/** Whether a case counts: where requirements are written down, those of a requirement do, and later ones do not. */
export function scoring({ requirements }: Suite): (id: string) => boolean {
  if (requirements.length === 0) return () => true;
  const scored = casesOfRequirements(requirements);
  return (id) => scored.has(id);
}

export function casesOfRequirements(
  requirements: readonly Pick<RequirementEntry, "cases">[],
): ReadonlySet<string> {
  return new Set(requirements.flatMap(({ cases }) => cases.flatMap(unpackedIds)));
}
