import { compareRevisions } from "../compare-revisions.ts";
import type { DocumentedSpec, ObjectSpec } from "../spec.ts";
import { isWrittenLike } from "../structure/schema.ts";
import type { RuleContext } from "./context.ts";

/** Nothing is newer than the revision that the spec describes. */
export function checkRevisions({ spec, own, shapes, objects, report }: RuleContext): void {
  const definitions: readonly DocumentedSpec[] = [
    own,
    ...own.services,
    ...(own.auth?.members ?? []),
    ...spec.types,
    ...spec.methods,
    ...spec.methods.flatMap(({ payload }) => (payload.kind === "forms" ? payload.forms : [])),
    ...spec.errors,
    ...spec.events,
    ...spec.states,
    ...spec.states.flatMap((machine) => machine.transitions),
    ...spec.rules,
    ...objects.flatMap((object: ObjectSpec) => object.fields),
    ...shapes.flatMap((shape) => (shape.kind === "enum" ? shape.values : [])),
  ];
  if (!isWrittenLike("revision", own.revision)) return;
  for (const { since } of definitions) {
    if (since === undefined || !isWrittenLike("revision", since.value)) continue;
    if (compareRevisions(since.value, own.revision) <= 0) continue;
    report("since-after-revision", since.span, { since: since.value, revision: own.revision });
  }
}
