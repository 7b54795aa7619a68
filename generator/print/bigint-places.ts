import { holdsBigint } from "../model/holds-bigint.ts";
import { resolve } from "../model/resolve.ts";
import type { ServiceModel, Shape } from "../model/service-model.ts";
import { oncePer } from "../source/once-per.ts";
import { shapeParts } from "../spec/shape-parts.ts";
import { member, objectLiteral } from "./literals.ts";
import type { Printable } from "./layout.ts";

/** Prints where a value has integers that are to be read as a `bigint`. */
export interface BigintPlaces {
  /** The constants that say where, of the named types that these shapes use. */
  constantsOf(shapes: readonly Shape[]): readonly BigintConstant[];
  /** Where a shape has them; undefined where it has none. */
  of(shape: Shape): Printable | undefined;
}

export interface BigintConstant {
  readonly name: string;
  readonly value: Printable;
}

export const bigintPlaces = oncePer((model: ServiceModel): BigintPlaces => {
  const holders = model.types.filter(({ shape }) => holdsBigint(model, shape));
  const names = new Map(holders.map(({ name, names: { type } }) => [name, `_${type}`]));
  /** The types whose constants were printed since it was emptied. */
  const mentioned = new Set<string>();
  const of = (shape: Shape): Printable | undefined => {
    if (shape.kind !== "ref") return holdsBigint(model, shape) ? placesIn(shape) : undefined;
    const name = names.get(shape.type);
    if (name !== undefined) mentioned.add(shape.type);
    return name;
  };
  const placesIn = (shape: Shape): Printable => {
    const { here, fields, items } = collected(shape);
    const members = [...fields].flatMap(([name, value]) => [member(name, lazily(value))]);
    return objectLiteral([
      here ? member("here", "true") : undefined,
      members.length > 0 ? member("fields", objectLiteral(members)) : undefined,
      items === undefined ? undefined : member("items", lazily(items)),
    ]);
  };
  interface Places {
    here: boolean;
    items: Printable | undefined;
    readonly fields: Map<string, Printable>;
  }
  /** Collects the places of a value, whichever of its alternatives it is. */
  const collected = (
    shape: Shape,
    into: Places = { here: false, items: undefined, fields: new Map() },
  ): Places => {
    const found = resolve(model, shape);
    const named = (name: string, part: Shape): void => {
      const value = brace(of(part));
      if (value !== undefined && !into.fields.has(name)) into.fields.set(name, value);
    };
    if (isBigint(found)) into.here = true;
    else if (found.kind === "object") for (const field of found.fields) named(field.name, field.shape);
    else if (found.kind === "tuple") found.items.forEach((item, at) => named(String(at), item));
    else if (found.kind === "array") into.items ??= brace(of(found.items));
    else if (found.kind === "map") into.items ??= brace(of(found.values));
    else for (const part of shapeParts(found)) collected(part, into);
    return into;
  };
  const constantsOf = (shapes: readonly Shape[]): readonly BigintConstant[] => {
    mentioned.clear();
    for (const shape of shapes) of(shape);
    const values = new Map<string, Printable>();
    // The set grows while it is walked: a constant mentions others.
    for (const type of mentioned) {
      const holder = holders.find(({ name }) => name === type);
      if (holder !== undefined) values.set(type, placesIn(holder.shape));
    }
    return holders.flatMap(({ name }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ name: names.get(name) ?? "", value }];
    });
  };
  return { constantsOf, of };
});

/** An object that an arrow function gives stands in parentheses; a name may, and loses them in formatting. */
function brace(value: Printable | undefined): Printable | undefined {
  return value === undefined ? undefined : ["(", value, ")"];
}

function isBigint({ kind }: { readonly kind: string }): boolean {
  return kind === "bigint";
}

function lazily(value: Printable): Printable {
  return ["() => ", value];
}

/** A value of the spec with its integers as they are in programs. */
export function withBigints(value: unknown, shape: Shape, model: ServiceModel): unknown {
  const found = resolve(model, shape);
  if (isBigint(found) && Number.isInteger(value)) return BigInt(Number(value));
  if (Array.isArray(value)) {
    const partOf = (at: number): Shape | undefined =>
      found.kind === "array" ? found.items : found.kind === "tuple" ? found.items[at] : undefined;
    return value.map((item: unknown, at) => {
      const part = partOf(at);
      return part === undefined ? withinAny(item, found, model) : withBigints(item, part, model);
    });
  }
  if (!(value instanceof Object)) return withinAny(value, found, model);
  if (found.kind !== "object" && found.kind !== "map") return withinAny(value, found, model);
  const shapes = new Map(
    found.kind === "object" ? found.fields.map((field) => [field.name, field.shape]) : [],
  );
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const part = found.kind === "map" ? found.values : shapes.get(name);
    return [name, part === undefined ? member : withBigints(member, part, model)] as const;
  });
  return Object.fromEntries(members);
}

/** The value as the first alternative that has integers of its own makes it. */
function withinAny(value: unknown, shape: Shape, model: ServiceModel): unknown {
  if (shape.kind !== "nullable" && shape.kind !== "union" && shape.kind !== "tagged") return value;
  return shapeParts(shape).reduce<unknown>((made, part) => withBigints(made, part, model), value);
}
