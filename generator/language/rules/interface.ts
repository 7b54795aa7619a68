import { languageOf } from "../../protocols/languages.ts";
import { idCharactersMax, idParts, idRoom, idsMin } from "../request-ids.ts";
import type { DocumentedSpec, Located, ObjectSpec } from "../spec.ts";
import { faultNames, isWrittenLike } from "../structure/schema.ts";
import { isSoundPattern } from "./constraints.ts";
import type { RuleContext } from "./context.ts";
import { checkErrorCode } from "./references.ts";
import { compareRevisions } from "../canonical-order.ts";

/** Faults and authentication: every condition that the runtime detects has a code, and every code exists. */
export function checkInterface(context: RuleContext): void {
  const { spec, own, scope, report } = context;
  const given = new Set(scope.faults?.codes.map(({ fault }) => fault.value));
  const { protocol } = own.wire;
  const missing = languageOf(protocol).hasDefaultFaults
    ? []
    : faultNames(protocol).filter((fault) => !given.has(fault));
  if (missing.length > 0 && spec.methods.length > 0) {
    const span = own.faults?.span ?? own.span;
    report("fault-missing", span, { missing, inherits: own.uses.length > 0 });
  }
  for (const { code } of own.faults?.codes ?? []) checkErrorCode(code, context);
  for (const member of own.auth?.members ?? []) {
    if (member.missing !== undefined) checkErrorCode(member.missing, context);
  }
  for (const { requestId } of [own.wire, ...spec.methods])
    if (requestId !== undefined) checkRequestId(requestId, context);
}

/** Clients draw ids of the pattern, and none twice. */
function checkRequestId(pattern: Located<string>, context: RuleContext): void {
  if (!isSoundPattern(pattern, context)) return;
  const parts = idParts(pattern.value);
  const { ids, longest } = idRoom(parts ?? []);
  const problem =
    parts === undefined
      ? "no-parts"
      : longest > idCharactersMax
        ? "too-long"
        : ids < idsMin
          ? "too-few"
          : undefined;
  if (problem !== undefined) context.report("request-id-pattern", pattern.span, { problem });
}

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
