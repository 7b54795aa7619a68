import type { Json } from "./json.ts";
import { placeOf, type Site } from "./sources.ts";

/** One thing that could not be taken as it is. */
export interface Finding {
  /** `#/components/schemas/Pet/not`: JSON Pointer, after the address of another document. */
  readonly pointer: string;
  readonly reason: string;
  /**
   * `read`: taken by a rule of docs/import.md. `assumed`: values of other types are judged otherwise. `dropped`: the
   * type takes more than the document says. `refused`: it could not be taken.
   */
  readonly effect: "read" | "assumed" | "dropped" | "refused";
}

/** The part that findings are reported for: a method or a named type. */
export interface Owner {
  readonly findings: Finding[];
  /** Names of the types that it refers to. */
  readonly uses: Set<string>;
}

export function newOwner(): Owner {
  return { findings: [], uses: new Set() };
}

/** The constraints that were dropped from one shape, by keyword: they are kept as `x-dropped`. */
export type Dropped = Record<string, Json>;

/** Notes what the language cannot say: with `--lossy` it is dropped, else the owner is refused. */
export function cannotSay(
  site: Pick<Site, "uri" | "pointer">,
  reason: string,
  { owner, lossy }: { readonly owner: Owner; readonly lossy: boolean },
): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: lossy ? "dropped" : "refused" });
}

/** Notes how a part was taken, which changes no value that fits. */
export function noteReading(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "read" });
}

/** Notes a type that the document does not state. */
export function noteAssumption(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "assumed" });
}

export function refuse(site: Pick<Site, "uri" | "pointer">, reason: string, owner: Owner): void {
  owner.findings.push({ pointer: placeOf(site), reason, effect: "refused" });
}

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
