import type { Edit, RequestPlan } from "../suite/case.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { isJsonObject } from "../values/index.ts";

/** A copy of a value with edits made, one after the other. What leads nowhere changes nothing. */
export function edited(value: unknown, edits: readonly Edit[] = []): unknown {
  return edits.reduce((current, edit) => editedAt(current, stepsOf(edit.at), edit), value);
}

/** The payload of a request, before what it names is filled in. */
export function plannedPayload(
  { base = "minimal", payload, edits }: Pick<RequestPlan, "base" | "payload" | "edits">,
  { bases }: Pick<MethodEntry, "bases">,
): unknown {
  return edited(payload === undefined ? bases[base] : payload, edits);
}

/** The steps of a JSON Pointer (RFC 6901). */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON Pointer; undefined if there is no such value. */
export function valueAt(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((current, step) => {
    if (Array.isArray(current)) return current[Number(step)];
    return isJsonObject(current) && Object.hasOwn(current, step)
      ? Object.entries(current).find(([name]) => name === step)?.[1]
      : undefined;
  }, value);
}

function editedAt(value: unknown, [step, ...rest]: readonly string[], edit: Edit): unknown {
  if (step === undefined) return edit.op === "set" ? edit.value : value;
  if (Array.isArray(value))
    return value.map((item, index) => (index === Number(step) ? editedAt(item, rest, edit) : item));
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const at = entries.findIndex(([name]) => name === step);
  const present: unknown = entries[at]?.[1];
  if (rest.length > 0) return put(entries, at, [step, editedAt(present, rest, edit)]);
  switch (edit.op) {
    case "set":
      return put(entries, at, [step, edit.value]);
    case "omit":
      return Object.fromEntries(entries.filter(([name]) => name !== step));
    case "rename":
      return at < 0 ? value : put(entries, at, [edit.to, present]);
  }
}

/** Members in their order, one of them replaced, or one more at the end. */
function put(
  entries: readonly (readonly [string, unknown])[],
  at: number,
  member: readonly [string, unknown],
): object {
  return Object.fromEntries(
    at < 0 ? [...entries, member] : entries.map((entry, index) => (index === at ? member : entry)),
  );
}
