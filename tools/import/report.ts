import type { Finding, Owner } from "./findings.ts";

/**
 * `exact`: takes the same values. `assumed`: a schema without `type` was read as one type. `weakened`: takes more.
 * `refused`: not taken.
 */
export type Verdict = "exact" | "assumed" | "weakened" | "refused";

/** The outcome for one method or named type of the document. */
export interface ReportEntry {
  readonly kind: "method" | "type";
  readonly name: string;
  /** `#/methods/3`: where the document has it. */
  readonly pointer: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

export interface ImportReport {
  readonly entries: readonly ReportEntry[];
  /** The reason why nothing was taken from the document. */
  readonly problem?: string;
}

export interface Counts {
  readonly all: number;
  readonly taken: number;
  readonly exact: number;
  readonly assumed: number;
  readonly weakened: number;
  readonly refused: number;
}

export function countsOf(entries: readonly ReportEntry[], kind: ReportEntry["kind"]): Counts {
  const of = entries.filter((entry) => entry.kind === kind);
  const count = (verdict: Verdict) => of.filter((entry) => entry.verdict === verdict).length;
  const [exact, assumed, weakened] = [count("exact"), count("assumed"), count("weakened")];
  const taken = exact + assumed + weakened;
  return { all: of.length, taken, exact, assumed, weakened, refused: count("refused") };
}

/** All findings of an owner and of the types that it reaches: first its own. */
export function findingsOf(owner: Owner, typeNamed: (name: string) => Owner | undefined): readonly Finding[] {
  const findings = [...owner.findings];
  const seen = new Set<string>();
  const pending = [...owner.uses];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const type = seen.has(name) ? undefined : typeNamed(name);
    seen.add(name);
    if (type === undefined) continue;
    findings.push(...type.findings);
    pending.push(...type.uses);
  }
  const known = new Map(findings.map((finding) => [`${finding.pointer} ${finding.reason}`, finding]));
  return [...known.values()];
}

export function verdictOf(findings: readonly Finding[]): Verdict {
  const has = (effect: Finding["effect"]): boolean => findings.some((finding) => finding.effect === effect);
  if (has("refused")) return "refused";
  if (has("dropped")) return "weakened";
  return has("assumed") ? "assumed" : "exact";
}
