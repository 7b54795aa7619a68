import type { Edit } from "../suite/case.ts";
import { edited, valueAt } from "../request/edits.ts";
import { escaped, isJsonObject, payloadProblems, type FieldShape, type Reading } from "../values/index.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { newText, type Model } from "./model.ts";
import { isFreeText } from "./resource-types.ts";

/**
 * Another payload of a method: free texts are new, enums and truth values are drawn. What is required under a condition
 * comes from the fullest payload.
 */
export function variation(
  method: MethodEntry,
  base: string,
  draw: number,
  model: Model,
  reading: Reading,
): readonly Edit[] {
  const fields = fieldsOfBase(method, base);
  const from = method.bases[base];
  const present = fields.filter(({ name }) => valueAt(from, `/${escaped(name)}`) !== undefined);
  const texts = present
    .filter((field) => field.presence.kind === "required" && isFreeText(field, reading))
    .map(({ name }): Edit => ({ op: "set", at: `/${escaped(name)}`, value: newText(model) }));
  const drawn = present.flatMap((field, index) => drawnEdit(field, draw + index, reading));
  const full = method.bases[base.replace(/minimal$/, "maximal")];
  const all = completed([...texts, ...drawn], from, full, method, reading);
  return all ?? completed(texts, from, full, method, reading) ?? [];
}

/** The fields of the form that a payload to start from is of. */
export function fieldsOfBase({ payload }: MethodEntry, base: string): readonly FieldShape[] {
  if (payload.kind === "single") return payload.shape.fields;
  return payload.forms.find(({ name }) => base.startsWith(`${name} `))?.shape.fields ?? [];
}

function drawnEdit(field: FieldShape, draw: number, reading: Reading): readonly Edit[] {
  const shape = reading.resolve(field.shape);
  const values: readonly unknown[] =
    shape.kind === "enum"
      ? shape.values.map(({ value }) => value)
      : shape.kind === "boolean" && shape.const === undefined
        ? [false, true]
        : [];
  return values.length === 0
    ? []
    : [{ op: "set", at: `/${escaped(field.name)}`, value: values[draw % values.length] }];
}

/** The edits, and what they make required besides; undefined where the payload would be wrong. */
function completed(
  edits: readonly Edit[],
  from: unknown,
  full: unknown,
  method: MethodEntry,
  reading: Reading,
): readonly Edit[] | undefined {
  const missing = payloadProblems(method.payload, edited(from, edits), reading)
    .filter(({ kind }) => kind === "absent")
    .flatMap(({ at }): readonly Edit[] => {
      const value = valueAt(full, at);
      return value === undefined ? [] : [{ op: "set", at, value }];
    });
  const all = [...edits, ...missing];
  const payload = edited(from, all);
  return isJsonObject(payload) && payloadProblems(method.payload, payload, reading).length === 0
    ? all
    : undefined;
}
