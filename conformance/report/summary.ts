import type { RunReport } from "../runner/run.ts";
import { contactId, interrupted, type Outcome } from "../session/outcome.ts";
import { resultsId } from "../session/seen.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly broken: number;
}

export function countsOf(outcomes: readonly Outcome[]): Counts {
  const of = (status: Outcome["status"]): number =>
    outcomes.reduce((count, outcome) => count + (outcome.status === status ? 1 : 0), 0);
  return { passed: of("passed"), failed: of("failed"), skipped: of("skipped"), broken: of("broken") };
}

/** Everything that was run, what belongs to no requirement too. */
export function allOutcomes({ outcomes, unscored }: RunReport): readonly Outcome[] {
  return [...outcomes, ...unscored];
}

/** Inputs of the verdict on a service. */
interface RunVerdict {
  readonly kind: "conforms" | "fails" | "untried";
  /** Why, in words, where it does not conform. */
  readonly reasons: readonly string[];
}

/**
 * The verdict of a run: `untried` where no case came out either way, or the run was interrupted. Cases without a
 * requirement and operations without a counted case make it fail, too, so a run that omits an operation cannot pass.
 */
export function verdictOn(report: RunReport): RunVerdict {
  const all = countsOf(allOutcomes(report));
  if (allOutcomes(report).some(({ reason }) => reason === interrupted))
    return { kind: "untried", reasons: [interrupted, ...(all.failed === 0 ? [] : [`${all.failed} failed`])] };
  if (wasHopeless(report) || all.passed + all.failed + all.broken === 0)
    return { kind: "untried", reasons: ["no case was tried"] };
  const own = countsOf(report.outcomes);
  const later = countsOf(report.unscored);
  const reasons = [
    ...(own.failed === 0 ? [] : [`${own.failed} failed`]),
    ...(own.broken + later.broken === 0 ? [] : [`${own.broken + later.broken} broken`]),
    ...(later.failed === 0 ? [] : [`${later.failed} failed that belong to no requirement yet`]),
    ...(report.uncounted.length === 0 ? [] : [`no case counts for ${report.uncounted.join(", ")}`]),
  ];
  return { kind: reasons.length === 0 ? "conforms" : "fails", reasons };
}

/** The operations that answered every call with an error: no result of them was checked. */
export function withoutResults({ outcomes }: RunReport): readonly string[] {
  return outcomes.filter(({ id, method }) => id === resultsId(method)).map(({ method }) => method);
}

/** The outcomes of each operation, in the order of the suite. */
export function byMethod(report: RunReport): ReadonlyMap<string, readonly Outcome[]> {
  return Map.groupBy(allOutcomes(report), ({ method }) => method);
}

/** Why cases were skipped or broken, and how many. */
export function reasonsOf(
  outcomes: readonly Outcome[],
  status: "skipped" | "broken",
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    if (outcome.status !== status) continue;
    const reason = outcome.reason ?? "no reason given";
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** Whether the preflight ended the run. */
export function wasHopeless({ outcomes }: RunReport): boolean {
  return outcomes.some(({ id }) => id === contactId);
}

/** The commands of the requests that failures show. */
export function commandsOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ exchanges }) => exchanges.map(({ curl }) => curl));
}

/** Failures that expected the same: most often they have one cause. */
export interface Cause {
  /** The expectation of the first of them. */
  readonly expected: string;
  readonly outcomes: readonly Outcome[];
}

/** Failures by what they expected first, whatever the identifiers and numbers in it; the most frequent first. */
export function causesOf(failures: readonly Outcome[]): readonly Cause[] {
  const groups = Map.groupBy(
    failures,
    ({ findings: [first] }) => `${first?.check} ${first?.expected.replaceAll(/"[^"]*"|\d+/g, "…")}`,
  );
  return [...groups.values()]
    .map((outcomes) => ({ expected: outcomes[0]?.findings[0]?.expected ?? "", outcomes }))
    .toSorted((a, b) => b.outcomes.length - a.outcomes.length);
}

/** The kinds of cases, in the order in which people ask. */
export const caseKinds = [
  "present",
  "examples",
  "least and most",
  "required",
  "empty, null",
  "types",
  "values",
  "formats",
  "bounds",
  "spellings",
  "unknown",
  "credential",
  "signature",
  "order of checks",
  "envelope",
  "transport",
  "sequences",
  "exploration",
  "other",
] as const;

export type CaseKind = (typeof caseKinds)[number];

/** The kind of a case, as its id tells. */
export function caseKindOf({ id, method }: Pick<Outcome, "id" | "method">): CaseKind {
  const parts = (id.startsWith(`${method}/`) ? id.slice(method.length + 1) : id).split("/");
  const [first = ""] = parts;
  if (first.startsWith("payload")) return payloadKind(parts);
  if (first === "authentication")
    return /signature|bytes|stranger|flipped|p1363|canonical/.test(parts.slice(1).join("/"))
      ? "signature"
      : "credential";
  return byFirst.get(first) ?? "other";
}

const byFirst: ReadonlyMap<string, CaseKind> = new Map<string, CaseKind>([
  ["contact", "present"],
  ["present", "present"],
  ["example", "examples"],
  ["order", "order of checks"],
  ["envelope", "envelope"],
  ["unknown-method", "envelope"],
  ["revision", "envelope"],
  ["json", "envelope"],
  ["http-method", "transport"],
  ["path", "transport"],
  ["content-type", "transport"],
  ["content-encoding", "transport"],
  ["headers", "signature"],
  ["selection", "envelope"],
  ["scenario", "sequences"],
  ["exploration", "exploration"],
]);

/** A name says what was changed; the last part of a payload case's id begins with it. */
const payloadKinds: readonly (readonly [RegExp, CaseKind])[] = [
  [/(?:^|\s)(?:minimal|maximal)$|^in-full$/, "least and most"],
  [/^(?:absent|none-of|of-)/, "required"],
  [/^(?:empty|null|blank|0-items)/, "empty, null"],
  [/^(?:spelled-|two-spellings)/, "spellings"],
  [/^unknown-property/, "unknown"],
  [/^unknown(?:-without|$)/, "unknown"],
  [
    /^(?:value|unknown-value|other-case|trailing-blank|inherited-name|the-constant|not-the-constant)/,
    "values",
  ],
  [/^(?:string|number|true|false|array|object|null-among|numeric-text)/, "types"],
  [/date|url|pem|address|time|astral/, "formats"],
  [/\d|fraction|twice/, "bounds"],
];

function payloadKind(parts: readonly string[]): CaseKind {
  const last = parts.at(-1) ?? "";
  return payloadKinds.find(([pattern]) => pattern.test(last))?.[1] ?? "other";
}
