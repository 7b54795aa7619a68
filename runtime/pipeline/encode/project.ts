import type { ObjectShape } from "../../contract/index.ts";

/**
 * A handler's result as it is sent: the documented fields only, in document order, and those spelt two ways under
 * both names (D-12). What a handler returns besides is dropped: a record never leaks through a wide object.
 */
export function project(result: object, shape: ObjectShape): object {
  const sent: Record<string, unknown> = {};
  for (const { name, alsoSentAs, shape: inner } of shape.fields) {
    const value: unknown = Reflect.get(result, name);
    if (value === undefined) continue;
    const projected = inner === undefined ? value : projectValue(value, inner());
    sent[name] = projected;
    if (alsoSentAs !== undefined) sent[alsoSentAs] = projected;
  }
  return sent;
}

function projectValue(value: unknown, shape: ObjectShape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => projectValue(item, shape));
  return typeof value === "object" && value !== null ? project(value, shape) : value;
}
