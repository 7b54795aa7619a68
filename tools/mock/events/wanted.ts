import { accepts, isJsonObject } from "../../../conformance/values/index.ts";
import { readingOf, resolve } from "../../../generator/model/resolve.ts";
import type { ServiceModel, Shape } from "../../../generator/model/service-model.ts";
import { hintFor } from "../../../conformance/session/closest.ts";

/** The fields that a trigger wants in the payload of an event. */
export interface Wanted {
  /** Fields, as JSON. */
  readonly payload: object;
  /** Texts by the path of a field, `a.b`: JSON where the field's type takes that, and texts otherwise. */
  readonly set: object;
}

/** The fields that are wanted, as one object; or the first that the type does not have. */
export function wantedFields(
  { payload, set }: Wanted,
  shape: Shape,
  model: ServiceModel,
): { readonly fields: object } | { readonly unknown: string } {
  let fields = payload;
  for (const [path, text] of Object.entries(set)) {
    const names = path.split(".");
    const field = names.reduce<Shape | undefined>(
      (at, name) => (at === undefined ? undefined : fieldOf(at, name, model)),
      shape,
    );
    fields = withValue(fields, names, field === undefined ? text : valueOf(String(text), field, model));
  }
  const unknown = unknownName(fields, shape, model);
  return unknown === undefined ? { fields } : { unknown };
}

function fieldOf(shape: Shape, name: string, model: ServiceModel): Shape | undefined {
  const resolved = resolve(model, shape);
  return resolved.kind === "object" ? resolved.fields.find((field) => field.name === name)?.shape : undefined;
}

function valueOf(text: string, shape: Shape, model: ServiceModel): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return accepts(shape, value, readingOf(model)) ? value : text;
  } catch {
    return text;
  }
}

function withValue(object: object, [name = "", ...rest]: readonly string[], value: unknown): object {
  const parts = new Map<string, unknown>(Object.entries(object));
  const present = parts.get(name);
  parts.set(name, rest.length === 0 ? value : withValue(isJsonObject(present) ? present : {}, rest, value));
  return Object.fromEntries(parts);
}

function unknownName(value: unknown, shape: Shape, model: ServiceModel, path = ""): string | undefined {
  const resolved = resolve(model, shape);
  if (resolved.kind !== "object" || !isJsonObject(value)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const field = resolved.fields.find((each) => each.name === name);
    if (field === undefined) {
      const names = resolved.fields.map((each) => each.name);
      return `there is no field ${path}${name}: ${hintFor(name, names)}`;
    }
    const within = unknownName(part, field.shape, model, `${path}${name}.`);
    if (within !== undefined) return within;
  }
  return undefined;
}
