import type { ServiceModel } from "./service-model.ts";
import { omitUndefined } from "../../conformance/omit-undefined.ts";

/**
 * The model, made of the same objects as an earlier one wherever the two say the same: of whole declarations, and as
 * a whole. What was made of them then is known by them now. Places in the spec do not count, and may be the earlier.
 */
export function sharedModel(last: ServiceModel, next: ServiceModel): ServiceModel {
  const serves = next.serves?.map((served, at) => {
    const before = last.serves?.[at];
    if (before === undefined) return served;
    const shared = { ...served, model: sharedModel(before.model, served.model) };
    return saysTheSame(before, shared) ? before : shared;
  });
  const model: ServiceModel = omitUndefined({
    ...next,
    types: sharedItems(last.types, next.types),
    methods: sharedItems(last.methods, next.methods),
    events: sharedItems(last.events, next.events),
    states: sharedItems(last.states, next.states),
    scenarios: sharedItems(last.scenarios, next.scenarios),
    serves,
  });
  if (saysTheSame(last, model)) return last;
  if (saysTheSame(restOf(last), restOf(model))) rests.set(model, restOf(last));
  return Object.freeze(model);
}

/** The model without its types and methods; equal models share the object. */
export function restOf(model: ServiceModel): object {
  const known = rests.get(model);
  if (known !== undefined) return known;
  const { types, methods } = model;
  const rest = {
    ...model,
    types: types.map(({ name, names, usedIn }) => ({ name, names, usedIn })),
    methods: methods.map(({ name, names }) => ({ name, names })),
    forms: methods.map(({ payload }) =>
      payload.kind === "forms" ? payload.forms.map((form) => ({ name: form.name, names: form.names })) : [],
    ),
  };
  rests.set(model, rest);
  return rest;
}

const rests = new WeakMap<ServiceModel, object>();

function sharedItems<T extends { readonly name: string }>(
  last: readonly T[],
  next: readonly T[],
): readonly T[] {
  const before = new Map(last.map((item) => [item.name, item]));
  const items = next.map((item) => {
    const known = before.get(item.name);
    if (known === undefined) return item;
    return saysTheSame(known, item) ? known : Object.freeze(withSharedMembers(known, item));
  });
  const isSame = items.length === last.length && items.every((item, at) => item === last[at]);
  return isSame ? last : Object.freeze(items);
}

/** The item with the earlier one's members where they say the same: its examples, where only its text has changed. */
function withSharedMembers<T extends object>(last: T, next: T): T {
  const item = { ...next };
  for (const [name, value] of Object.entries(last))
    if (typeof value === "object" && saysTheSame(value, member(next, name))) Reflect.set(item, name, value);
  return item;
}

/** Whether two values have the same members in the same order, whatever the spans. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, otherKeys] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === otherKeys.length &&
    keys.every(
      (key, at) => key === otherKeys[at] && (key === "span" || saysTheSame(member(a, key), member(b, key))),
    )
  );
}

function member(thing: object, key: string): unknown {
  return Reflect.get(thing, key);
}
