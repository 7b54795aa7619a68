import type { Span } from "../../language/source/index.ts";
import type { Bump, Direction, Party, Severity } from "../rules/rule.ts";
import type { HandlerToSee } from "./handlers-to-see.ts";
import {
  placeOf,
  type DiffReport,
  type Place,
  type ReportedChange,
  type Side,
  type SpecDiff,
} from "./reported-diff.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** The output of `--format json`. Keys are added, never changed: a change of meaning gets another `format`. */
export interface DiffJson {
  readonly format: "ledger-rpc-diff/1";
  /** Whether the run failed, by changes or by exceptions. */
  readonly ok: boolean;
  readonly failOn: Severity | "none";
  readonly specs: readonly SpecJson[];
  /** Findings about the specs and the exceptions, as `check --json` prints them. */
  readonly diagnostics: readonly object[];
}

export interface SpecJson {
  readonly name: string;
  readonly old: Side;
  readonly new: Side;
  readonly version: { readonly bump: Bump | "none"; readonly from: string; readonly to: string };
  readonly counts: Readonly<Record<Party, Readonly<Record<Severity, number>>>>;
  readonly changes: readonly ChangeJson[];
  /** Absent where no config says whose handlers they are. */
  readonly handlers?: readonly HandlerToSee[];
}

export interface ChangeJson {
  readonly rule: string;
  readonly fingerprint: string;
  /** That of the party it hits hardest. */
  readonly severity: Severity;
  readonly path: string;
  readonly summary: string;
  /** A party that is not named does not notice. */
  readonly parties: {
    readonly [P in Party]?: { readonly severity: Severity; readonly consequence: string };
  };
  readonly direction?: Direction;
  readonly reaches: readonly string[];
  readonly notes: readonly string[];
  readonly old?: Place;
  readonly new?: Place;
  /** Where it would stand, if it is gone. */
  readonly near?: Place;
  /** Why it is accepted. */
  readonly exception?: string;
}

export function diffJson(report: DiffReport, diagnostics: readonly object[], ok: boolean): DiffJson {
  return {
    format: "ledger-rpc-diff/1",
    ok,
    failOn: report.failOn,
    specs: report.specs.map(specJson),
    diagnostics,
  };
}

function specJson({ name, old, new: recent, version, changes, handlers }: SpecDiff): SpecJson {
  const { bump = "none", from, to } = version;
  return omitUndefined({
    name,
    old,
    new: recent,
    version: { bump, from, to },
    counts: countsByParty(changes),
    changes: changes.map(changeJson),
    handlers,
  });
}

export function countsByParty(
  changes: readonly ReportedChange[],
): Readonly<Record<Party, Readonly<Record<Severity, number>>>> {
  const impacts = changes.flatMap((change) => change.impacts);
  const countFor = (party: Party): Readonly<Record<Severity, number>> => {
    const found = impacts.filter((impact) => impact.party === party);
    const count = (severity: Severity): number => found.filter((each) => each.severity === severity).length;
    return { breaking: count("breaking"), warning: count("warning"), info: count("info") };
  };
  return {
    callers: countFor("callers"),
    implementers: countFor("implementers"),
    receivers: countFor("receivers"),
  };
}

function changeJson(change: ReportedChange): ChangeJson {
  const { rule, fingerprint, severity, path, summary, impacts, direction, reaches, notes, exception } =
    change;
  return omitUndefined({
    rule,
    fingerprint,
    severity,
    path,
    summary,
    parties: Object.fromEntries(
      impacts.map(({ party, severity: own, consequence }) => [party, { severity: own, consequence }]),
    ),
    direction,
    reaches,
    notes,
    ...placed("old", change.old),
    ...placed("new", change.new),
    ...placed("near", change.near),
    exception,
  });
}

function placed<K extends "old" | "new" | "near">(
  key: K,
  span: Span | undefined,
): { readonly [P in K]?: Place } {
  if (span === undefined) return {};
  const found: { [P in K]?: Place } = {};
  found[key] = placeOf(span);
  return found;
}
