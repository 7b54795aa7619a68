import { listed } from "../../language/diagnostics/entry.ts";
import { severities, type Severity } from "../rules/rule.ts";
import type { ReportedChange, SpecDiff } from "./reported-diff.ts";

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
