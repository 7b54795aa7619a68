import type { Edit } from "../suite/case.ts";
import { ownDecisions } from "../suite/methods.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import {
  canonicalNames,
  edited,
  escaped,
  type FieldShape,
  memberOf,
  type ObjectShape,
  payloadProblems,
  type Reading,
} from "../values/index.ts";
import type { Draft } from "./draft.ts";

/** The ground of a method's cases: its entry, the suite, and how its requests are read. */
export interface CaseGround {
  readonly suite: Suite;
  readonly entry: MethodEntry;
  /** Reads its requests. */
  readonly reading: Reading;
}

/**
 * A case that must succeed by the document alone omits fields that the document leaves open. Where they cannot be,
 * the case rests on decisions.
 */
export function withinDocument(
  draft: Draft,
  shape: ObjectShape,
  { suite, entry, reading }: CaseGround,
): Draft {
  if (draft.level !== "document" || draft.expect.kind !== "result") return draft;
  const { request } = draft;
  const start = request.payload === undefined ? entry.bases[request.base ?? "minimal"] : request.payload;
  const edits: Edit[] = [...(request.edits ?? [])];
  for (const field of openFields(shape, canonical(), suite, reading)) {
    if (valueOf(field) === undefined) continue;
    edits.push({ op: "omit", at: `/${escaped(field.name)}` });
    if (request.payload !== undefined || valueOf(field) !== undefined || isWrong())
      return { ...draft, level: "decisions" };
  }
  return edits.length === (request.edits ?? []).length ? draft : { ...draft, request: { ...request, edits } };

  function canonical(): unknown {
    return canonicalNames(entry.payload, edited(start, edits), reading).payload;
  }
  function valueOf({ name }: FieldShape): unknown {
    return memberOf(canonical(), name);
  }
  function isWrong(): boolean {
    return payloadProblems(entry.payload, canonical(), reading).length > 0;
  }
}

/** Fields of which the document does not say what may be in them, or that say what another one says already. */
function openFields(
  shape: ObjectShape,
  payload: unknown,
  suite: Suite,
  reading: Reading,
): readonly FieldShape[] {
  const open = shape.fields.filter((field) => {
    if (ownDecisions(field, suite).length === 0 || field.presence.kind === "required") return false;
    if (field.presence.kind !== "optional") return true;
    const resolved = reading.resolve(field.shape);
    return resolved.kind === "string" && resolved.format === undefined && field.identifies === undefined;
  });
  const identifying = shape.fields.filter(
    ({ name, presence, identifies }) =>
      identifies !== undefined && presence.kind === "optional" && memberOf(payload, name) !== undefined,
  );
  return [...open, ...identifying.slice(1)];
}
