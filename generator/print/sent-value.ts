import { resolve } from "../model/resolve.ts";
import type { ObjectTypeShape, ServiceModel, Shape } from "../model/service-model.ts";

/** A result as it is sent: a field with a second spelling stands under both names (`alsoSentAs`). */
export function sentValue(value: unknown, shape: Shape, model: ServiceModel): unknown {
  const resolved = resolve(model, shape);
  if (resolved.kind === "array" && Array.isArray(value)) {
    return value.map((item) => sentValue(item, resolved.items, model));
  }
  return resolved.kind === "object" && isObject(value) ? sentObject(value, resolved, model) : value;
}

function sentObject(value: object, { fields }: ObjectTypeShape, model: ServiceModel): object {
  const fieldOf = new Map(fields.map((field) => [field.name, field]));
  const members = Object.entries(value).flatMap(([name, member]) => {
    const field = fieldOf.get(name);
    const sent = field === undefined ? member : sentValue(member, field.shape, model);
    return [name, ...(field?.alsoSentAs === undefined ? [] : [field.alsoSentAs])].map(
      (spelling): [string, unknown] => [spelling, sent],
    );
  });
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
