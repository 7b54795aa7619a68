import type { Change } from "../rules/change.ts";
import type { HandlerToSee } from "./handlers-to-see.ts";
import type { VersionAdvice } from "./version.ts";
import type { Severity } from "../rules/rule.ts";

/** One revision of a spec, as the reader named it. */
export interface Side {
  /** `HEAD~3:spec/ledger`, `spec/ledger`. */
  readonly label: string;
  /** The revision that the interface itself states. */
  readonly revision: string;
}

/** The report on one spec. */
export interface SpecDiff {
  readonly name: string;
  /** Name of the interface, by which its readers know it. */
  readonly interfaceName: string;
  readonly old: Side;
  readonly new: Side;
  readonly changes: readonly ReportedChange[];
  readonly version: VersionAdvice;
  /** Absent where no config says whose handlers they are. */
  readonly handlers?: readonly HandlerToSee[];
}

export type ReportedChange = Change & {
  /** Why it is accepted all the same, where an exception says so. */
  readonly exception?: string;
};

/** The report on a run. */
export interface DiffReport {
  readonly specs: readonly SpecDiff[];
  readonly failOn: Severity | "none";
  /** Whether the run fails because of changes. */
  readonly failed: boolean;
  /** The prefix that makes paths relative to the root of the repository. */
  readonly prefix?: string;
}
