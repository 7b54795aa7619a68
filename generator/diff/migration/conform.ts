import {
  resolve,
  type FieldModel,
  type ObjectTypeShape,
  type ServiceModel,
  type Shape,
} from "../../model/index.ts";
import { pathGroups } from "../../../conformance/suite/shape.ts";
import { leadsTo } from "../../../conformance/values/index.ts";
import { isRecord, shapeAt, valueAt, withoutValueAt, withValueAt } from "./places-in-values.ts";
import { fits, sampleOf } from "./sample.ts";

/**
 * A value of a type that is as close to a given one as possible. Members that no longer fit are replaced, unknown
 * ones dropped. Missing ones come from `hint` (an example of the new revision) or from a sample.
 */
export function conformed(model: ServiceModel, shape: Shape, value: unknown, hint: unknown): unknown {
  const resolved = resolve(model, shape);
  if (resolved.kind === "object") {
    return isRecord(value) ? conformedObject(model, resolved, value, hint) : sampleOf(model, shape, hint);
  }
  if (resolved.kind === "array") {
    if (!Array.isArray(value)) return sampleOf(model, shape, hint);
    const hints: readonly unknown[] = Array.isArray(hint) ? hint : [];
    const items = value.map((item: unknown) => conformed(model, resolved.items, item, hints[0]));
    while (items.length < (resolved.itemsMin ?? 0))
      items.push(sampleOf(model, resolved.items, hints[items.length]));
    const kept = resolved.unique
      ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
      : items;
    return kept.slice(0, resolved.itemsMax);
  }
  if (fits(model, resolved, value)) return value;
  if (resolved.kind === "enum") {
    const successor = resolved.values.find(
      ({ renamedFrom }) => renamedFrom !== undefined && renamedFrom === value,
    );
    if (successor !== undefined) return successor.value;
  }
  return sampleOf(model, shape, hint);
}

type Values = Readonly<Record<string, unknown>>;

function conformedObject(model: ServiceModel, shape: ObjectTypeShape, value: Values, hint: unknown): object {
  const hints: Values = isRecord(hint) ? hint : {};
  const held = new Map<string, unknown>();
  for (const field of shape.fields) {
    const given = valueOf(field, value);
    if (given !== undefined)
      held.set(field.name, conformed(model, field.shape, given, hints[field.name] ?? field.example));
  }
  for (const field of shape.fields) {
    if (!held.has(field.name) && isRequired(field, held)) {
      held.set(field.name, sampleOf(model, field.shape, hints[field.name] ?? field.example));
    }
  }
  for (const group of shape.atLeastOneOf) {
    if (!group.some((name) => held.has(name))) addFirst(model, shape, group, held, hints);
  }
  for (const group of shape.exactlyOneOf) {
    const present = group.filter((name) => held.has(name));
    if (present.length === 0) addFirst(model, shape, group, held, hints);
    for (const name of present.slice(1)) held.delete(name);
  }
  const order = shape.fields.map(({ name }) => name);
  return Object.fromEntries(
    Object.entries(withPaths(model, shape, Object.fromEntries(held), hints)).toSorted(
      ([a], [b]) => order.indexOf(a) - order.indexOf(b),
    ),
  );
}

/** One path of each group leads to a value; where they exclude each other, only the first that does. */
function withPaths(model: ServiceModel, shape: ObjectTypeShape, value: Values, hints: Values): Values {
  let fitted: unknown = value;
  for (const group of pathGroups(shape)) {
    const [path = []] = group;
    if (!group.some((each) => leadsTo(fitted, each)))
      fitted = withSampleAt(model, shape, fitted, path, hints);
  }
  for (const group of shape.exactlyOnePath ?? [])
    for (const path of group.filter((each) => leadsTo(fitted, each)).slice(1))
      fitted = withoutValueAt(fitted, optionalPart(model, shape, path));
  return isRecord(fitted) ? fitted : value;
}

/** A sample at the end of a path. Objects on its way keep what they hold, and get what else they need. */
function withSampleAt(
  model: ServiceModel,
  shape: ObjectTypeShape,
  value: unknown,
  path: readonly string[],
  hints: Values,
): unknown {
  const [first = ""] = path;
  const [at, around] = [shapeAt(model, shape, path), shapeAt(model, shape, [first])];
  if (at === undefined || around === undefined) return value;
  const put = withValueAt(value, path, sampleOf(model, at, valueAt(hints, path)));
  return withValueAt(put, [first], conformed(model, around, valueAt(put, [first]), hints[first]));
}

/** The beginning of a path that ends with its last optional field. */
function optionalPart(model: ServiceModel, shape: Shape, path: readonly string[]): readonly string[] {
  const lengths = path.map((_, at) => path.length - at);
  const length = lengths.find((each) => {
    const around = shapeAt(model, shape, path.slice(0, each - 1));
    const object = around && resolve(model, around);
    return (
      object?.kind === "object" &&
      object.fields.some(({ name, presence }) => name === path[each - 1] && presence.kind !== "required")
    );
  });
  return path.slice(0, length);
}

function valueOf({ name, renamedFrom, spellings }: FieldModel, value: Values): unknown {
  const names = [name, ...spellings, ...(renamedFrom === undefined ? [] : [renamedFrom])];
  const key =
    names.find((each) => each in value) ??
    Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : value[key];
}

function isRequired({ presence }: FieldModel, held: ReadonlyMap<string, unknown>): boolean {
  if (presence.kind !== "required-when") return presence.kind === "required";
  return presence.values.some((value) => value === held.get(presence.field));
}

function addFirst(
  model: ServiceModel,
  shape: ObjectTypeShape,
  [first]: readonly string[],
  held: Map<string, unknown>,
  hints: Values,
): void {
  const field = shape.fields.find(({ name }) => name === first);
  if (field !== undefined)
    held.set(field.name, sampleOf(model, field.shape, hints[field.name] ?? field.example));
}
