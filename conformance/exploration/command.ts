import {
  edited,
  escaped,
  type FieldShape,
  isJsonObject,
  payloadProblems,
  type Reading,
  valueAt,
} from "../values/index.ts";
import { type Lookup, MissingValue, resolveValue } from "../request/resolve-value.ts";
import type { Edit } from "../suite/case.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { type Model, newText } from "./model.ts";
import { isFreeText } from "./resource-types.ts";
import type { Sequence } from "./sequence.ts";

/** The numbers that fast-check draws for a step: which object, and which part of it. Smaller numbers are simpler. */
export interface Draw {
  readonly pick: number;
  readonly value: number;
}

/** Something that a sequence can do next. */
export interface Command {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Does nothing where there is nothing to do it to. @throws InvariantViolation where a rule does not hold */
  perform(model: Model, sequence: Sequence, draw: Draw): Promise<void>;
}

/** One of the items; undefined where there are none. */
export function drawn<T>(items: readonly T[], draw: number): T | undefined {
  return items[draw % items.length];
}

/** The payload of a request; undefined where it needs a sample that is missing. */
export function payloadOf(
  { bases }: MethodEntry,
  base: string,
  edits: readonly Edit[],
  lookup: Lookup,
): unknown {
  try {
    return resolveValue(edited(bases[base], edits), lookup);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

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
