import type { Edit } from "../../../conformance/suite/case.ts";
import { edited } from "../../../conformance/request/edits.ts";
import { canonicalNames, isJsonObject, payloadProblems } from "../../../conformance/values/index.ts";
import { ownDecisions } from "../../../conformance/suite/own-decisions.ts";
import { resolve } from "../../model/index.ts";
import type { FieldModel, MethodModel, ObjectTypeShape } from "../../model/service-model.ts";
import { requestReading } from "./bases.ts";
import type { CaseList, Draft } from "./case-list.ts";

/**
 * What is to succeed by the document alone asks for nothing that the document leaves open: such fields are left out of
 * the payload. Where they cannot be, the case rests on decisions.
 */
export function withinDocument(
  draft: Draft,
  method: MethodModel,
  shape: ObjectTypeShape,
  list: CaseList,
): Draft {
  if (draft.level !== "document" || draft.expect.kind !== "result") return draft;
  const { request } = draft;
  const entry = list.entryOf(method);
  const reading = requestReading(method, list.model);
  const start = request.payload === undefined ? entry.bases[request.base ?? "minimal"] : request.payload;
  const edits: Edit[] = [...(request.edits ?? [])];
  for (const field of openFields(shape, canonical(), list)) {
    if (valueOf(field) === undefined) continue;
    edits.push({ op: "omit", at: `/${field.name}` });
    if (request.payload !== undefined || valueOf(field) !== undefined || isWrong())
      return { ...draft, level: "decisions" };
  }
  return edits.length === (request.edits ?? []).length ? draft : { ...draft, request: { ...request, edits } };

  function canonical(): unknown {
    return canonicalNames(entry.payload, edited(start, edits), reading).payload;
  }
  function valueOf({ name }: FieldModel): unknown {
    return memberOf(canonical(), name);
  }
  function isWrong(): boolean {
    return payloadProblems(entry.payload, canonical(), reading).length > 0;
  }
}

/** Fields of which the document does not say what may be in them, or that say what another one says already. */
function openFields(shape: ObjectTypeShape, payload: unknown, list: CaseList): readonly FieldModel[] {
  const { model } = list;
  const open = shape.fields.filter((field) => {
    if (ownDecisions(field, list.suite).length === 0 || field.presence.kind === "required") return false;
    if (field.presence.kind !== "optional") return true;
    const resolved = resolve(model, field.shape);
    return resolved.kind === "string" && resolved.format === undefined && field.identifies === undefined;
  });
  const identifying = shape.fields.filter(
    ({ name, presence, identifies }) =>
      identifies !== undefined && presence.kind === "optional" && memberOf(payload, name) !== undefined,
  );
  return [...open, ...identifying.slice(1)];
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}
