import type { Change } from "../rules/change.ts";
import type { HandlerToSee } from "./handlers-to-see.ts";
import { biggest, severities, type Bump, type Severity } from "../rules/rule.ts";
import { lineColumnAt, type LineColumn, type Span } from "../../language/source/index.ts";
import { listed } from "../../language/diagnostics/entry.ts";

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

/** A place in a file. Lines and columns count from 1; `end` is exclusive. */
export interface Place {
  readonly path: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

export function placeOf({ source, start, end }: Span): Place {
  return { path: source.path, start: lineColumnAt(source, start), end: lineColumnAt(source, end) };
}

/** `spec/ledger/methods/account.yaml:41:7` */
export function positionOf(span: Span): string {
  const { path, start } = placeOf(span);
  return `${path}:${start.line}:${start.column}`;
}

/** `2 breaking, 1 warning, 4 info`; "nothing" where there is nothing. */
export function countsOf(found: readonly Severity[]): string {
  const counts = severities.toReversed().map((severity) => ({
    severity,
    count: found.filter((each) => each === severity).length,
  }));
  const texts = counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${plural(severity, count)}`);
  return texts.length === 0 ? "nothing" : texts.join(", ");
}

function plural(severity: Severity, count: number): string {
  return severity === "warning" && count > 1 ? "warnings" : severity;
}

/** The text on the next version of the client, and on a revision of the interface that was not raised. */
export function versionText({ version, changes, old, new: recent }: SpecDiff): string {
  const { bump, from, to } = version;
  if (bump === undefined) return `Client version: ${from}, nothing to publish.`;
  const advice = `Client version: ${bump}, ${from} → ${to}.`;
  const isWire = changes.some(({ severity }) => severity !== "info");
  return isWire && old.revision === recent.revision
    ? `${advice} The interface still calls itself ${recent.revision}: raise \`revision\`, so that both can be distinguished.`
    : advice;
}

/** With a capital letter and a full stop, where it has none. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?][”"]?$/.test(begun) ? begun : `${begun}.`;
}

/** Which operations and events a change is part of, where its path does not say so. */
export function reachedText({ path, reaches }: ReportedChange): string | undefined {
  const named = reaches.filter((each) => !path.startsWith(each) && !path.startsWith(`events/${each}`));
  if (named.length === 0) return undefined;
  const shown = named.slice(0, 6);
  const rest = named.length - shown.length;
  const text =
    rest === 0 ? listed(named) : `${shown.map((name) => `\`${name}\``).join(", ")} and ${rest} more`;
  return `Reached from ${text}.`;
}

/** A change that is accepted, and why. */
export type DiffException = {
  /** The spec that it is about, by name; every spec if absent. */
  readonly spec?: string;
  readonly reason: string;
} & ({ readonly fingerprint: string } | { readonly rule: string; readonly path: string });

/** Whether the exception is about the change. It approves a change; it does not make it smaller. */
export function isAbout(exception: DiffException, spec: string, change: Change): boolean {
  if (exception.spec !== undefined && exception.spec !== spec) return false;
  if ("fingerprint" in exception) return exception.fingerprint === change.fingerprint;
  return exception.rule === change.rule && exception.path === change.path;
}

/** The advice on the next version of the client package. */
export interface VersionAdvice {
  /** Absent where nothing changed. */
  readonly bump?: Bump;
  readonly from: string;
  readonly to: string;
}

/**
 * Semantic versioning: what breaks callers or receivers is a new major version, what they may use or stumble over a
 * minor one. Below 1.0.0 each moves one place down. Exceptions approve a change; they do not make it smaller.
 */
export function versionAdvice(changes: readonly Pick<Change, "bump">[], from: string): VersionAdvice {
  const bump = biggest(changes.map((change) => change.bump));
  return bump === undefined ? { from, to: from } : { bump, from, to: next(from, bump) };
}

function next(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const place = ["major", "minor", "patch"].indexOf(bump) + (major === 0 && bump !== "patch" ? 1 : 0);
  if (place === 0) return `${major + 1}.0.0`;
  return place === 1 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
