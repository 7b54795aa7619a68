import type { Documented } from "../../model/index.ts";
import type { Span } from "../../language/source/index.ts";
import { locate } from "./locate.ts";
import { compareRevisions } from "../../language/index.ts";
import type { Comparison } from "./comparison.ts";
import { normal } from "./documented.ts";

/** Something new says since when it is there: not since a revision that had none. */
export function compareSince(
  { old, report }: Comparison,
  path: string,
  name: string,
  added: Partial<Documented>,
): void {
  if (added.since === undefined || added.span === undefined) return;
  if (compareRevisions(added.since, old.revision) > 0) return;
  const facts = { name, from: old.revision, to: added.since };
  report("since-inconsistent", { path, facts, new: locate(added.span, "since") });
}

/**
 * The changes to report beside a removal. Removing what was announced to stay longer is a change of its own: the text of
 * `deprecated` names the revision in which a thing goes.
 */
export function compareSunset(
  { old, new: recent, report }: Comparison,
  path: string,
  name: string,
  removed: Partial<Documented>,
  near: Span | undefined,
): readonly string[] {
  const { deprecated, span } = removed;
  if (deprecated === undefined) return [`It was not deprecated in ${old.revision}.`];
  const announced = deprecated
    .match(/\b\d+\.\d+\.\d+\b/g)
    ?.find((each) => compareRevisions(each, old.revision) > 0);
  const notes = [`It was deprecated: ${normal(deprecated)}`];
  if (announced === undefined || compareRevisions(recent.revision, announced) >= 0) return notes;
  report("removed-before-sunset", {
    path,
    facts: { name, from: announced, to: recent.revision },
    old: span === undefined ? undefined : locate(span, "deprecated"),
    near,
  });
  return notes;
}
