import type { MethodModel } from "../model/service-model.ts";

/** The params of a call of a standard interface: an array where the method takes them by position only. */
export function standardParams({ payload, transport }: MethodModel, values: unknown): unknown {
  const isByPosition = transport.params === "by-position";
  if (!isByPosition || payload.kind === "forms" || typeof values !== "object" || values === null)
    return values;
  const held = payload.shape.fields.map(({ name }): unknown => Reflect.get(values, name));
  const last = held.findLastIndex((value) => value !== undefined);
  // An omitted value before a present one is null: by position, absent.
  return held.slice(0, last + 1).map((value) => (value === undefined ? null : value));
}
