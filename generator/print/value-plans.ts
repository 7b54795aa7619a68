import { holdsBigint, holdsDeclared, holdsExactNumber, type Holds } from "../model/holds.ts";
import { resolve } from "../model/resolve.ts";
import type { ServiceModel, Shape, TaggedShape } from "../model/service-model.ts";
import { oncePer } from "../language/source/once-per.ts";
import { shapeParts } from "../language/shape-parts.ts";
import type { Printable } from "./layout.ts";
import { arrayLiteral, jsonLiteral, member, objectLiteral, stringLiteral } from "./literals.ts";

/** Prints what has to be known of values beside their JSON: which members are declared, which numbers keep their digits. */
export interface ValuePlans {
  /** The constants that the plans of these shapes mention. */
  constantsOf(planned: readonly Planned[]): readonly PlanConstant[];
  /** The plan of a shape, by the name of a constant; undefined where there is nothing to know. */
  of(planned: Planned): string | undefined;
}

/** A shape, and the name of its constant where it has no type of its own. */
export interface Planned {
  readonly shape: Shape;
  readonly wanted: string;
}

export interface PlanConstant {
  readonly name: string;
  readonly value: Printable;
}

/** For the service: members that it sends, and numbers that handlers take and give with all their digits. */
export const servicePlans = oncePer((model: ServiceModel) => createPlans(model, holdsDeclared, true));

/** For clients: integers that their callers get as a `bigint`. */
export const clientPlans = oncePer((model: ServiceModel) => createPlans(model, holdsBigint, false));

/** The parts that a value may have, whichever of its alternatives it is. */
interface Parts {
  number: "bigint" | "decimal" | undefined;
  /** Whether there may be members that are not declared. */
  isOpen: boolean;
  readonly members: Map<string, Shape[]>;
  readonly items: Shape[];
  readonly tagged: TaggedShape[];
}

// oxlint-disable-next-line max-lines-per-function -- plans mention each other through one table of constants
function createPlans(model: ServiceModel, holds: Holds, forService: boolean): ValuePlans {
  /** Alternatives that have a constant, by its name: a named type, or what several types are together. */
  const constants = new Map<string, readonly Shape[]>();
  const namesByKey = new Map<string, string>();
  const ids = new Map<Shape, string>();
  const mentioned = new Set<string>();

  function planOf(alternatives: readonly Shape[]): Printable | undefined {
    const parts = flattened(alternatives).filter((shape) => !isScalar(resolve(model, shape)));
    if (!parts.some((shape) => holds(model, shape))) return undefined;
    const isPlain = parts.every(({ kind }) => kind === "money" || kind === "bigint");
    if (isPlain || (parts.length === 1 && parts[0]?.kind !== "ref")) return partsOf(parts);
    const name = constantName(parts);
    constants.set(name, parts);
    mentioned.add(name);
    return name;
  }

  /** Types that are together at several places have one constant: parts of types that contain themselves come again. */
  function constantName(parts: readonly Shape[]): string {
    const keys = parts.map((shape) => (shape.kind === "ref" ? `_${shape.type}` : idOf(shape)));
    const key = JSON.stringify(keys.toSorted());
    const wanted = `_${parts.map((shape) => (shape.kind === "ref" ? nameOf(shape.type) : "Value")).join("Or")}`;
    const known = namesByKey.get(key);
    if (known !== undefined) return known;
    let name = wanted;
    for (let number = 2; constants.has(name); number += 1) name = `${wanted}${number}`;
    namesByKey.set(key, name);
    return name;
  }

  function idOf(shape: Shape): string {
    const id = ids.get(shape) ?? String(ids.size);
    ids.set(shape, id);
    return id;
  }

  function nameOf(type: string): string {
    return model.types.find(({ name }) => name === type)?.names.type ?? type;
  }

  function partsOf(shapes: readonly Shape[]): Printable {
    const parts: Parts = { number: undefined, isOpen: false, members: new Map(), items: [], tagged: [] };
    for (const shape of shapes) collect(resolve(model, shape), parts);
    const [tagged, ...further] = parts.tagged;
    // Alternatives that several members distinguish are told apart by none of them.
    if (further.length > 0)
      for (const { cases } of parts.tagged)
        cases.forEach((each) => collect(resolve(model, each.shape), parts));
    const members = [...parts.members].map(([name, alternatives]) => {
      const plan = planOf(alternatives);
      return plan === undefined
        ? forService
          ? member(name, "null")
          : undefined
        : member(name, lazily(plan));
    });
    const items = planOf(parts.items);
    return objectLiteral([
      parts.number === undefined ? undefined : member("number", stringLiteral(parts.number)),
      members.some((each) => each !== undefined) || (forService && parts.members.size > 0)
        ? member("members", objectLiteral(members))
        : undefined,
      forService && parts.isOpen ? member("open", "true") : undefined,
      items === undefined ? undefined : member("items", lazily(items)),
      tagged === undefined || further.length > 0
        ? undefined
        : member("tag", stringLiteral(tagged.discriminator)),
      tagged === undefined || further.length > 0 ? undefined : member("cases", casesOf(tagged)),
    ]);
  }

  function casesOf({ cases }: TaggedShape): Printable {
    return objectLiteral(
      cases.map(({ tag, shape }) => {
        const plan = planOf([shape]);
        return plan === undefined ? undefined : member(tag, lazily(plan));
      }),
    );
  }

  function collect(shape: Shape, into: Parts): void {
    const add = (name: string, part: Shape): void => {
      into.members.set(name, [...(into.members.get(name) ?? []), part]);
    };
    if (shape.kind === "money") {
      if (forService) into.number = "decimal";
    } else if (shape.kind === "bigint") into.number ??= "bigint";
    else if (shape.kind === "object") for (const field of shape.fields) add(field.name, field.shape);
    else if (shape.kind === "tuple") shape.items.forEach((item, at) => add(String(at), item));
    else if (shape.kind === "array") into.items.push(shape.items);
    else if (shape.kind === "map") {
      into.isOpen = true;
      into.items.push(shape.values);
    } else if (shape.kind === "json") into.isOpen = true;
    else if (shape.kind === "tagged") into.tagged.push(shape);
  }

  /** The alternatives of alternatives, each once. */
  function flattened(shapes: readonly Shape[], seen = new Set<unknown>()): readonly Shape[] {
    return shapes.flatMap((shape) => {
      const found = shape.kind === "ref" ? resolve(model, shape) : shape;
      if (found.kind === "union" || found.kind === "nullable") {
        if (seen.has(found)) return [];
        seen.add(found);
        return flattened(shapeParts(found), seen);
      }
      const key = shape.kind === "ref" ? shape.type : shape;
      if (seen.has(key)) return [];
      seen.add(key);
      return [shape];
    });
  }

  function ofRoot({ shape, wanted }: Planned): string | undefined {
    const plan = planOf([shape]);
    if (plan === undefined) return undefined;
    if (typeof plan === "string" && constants.has(plan)) return plan;
    const name = `_${wanted}`;
    constants.set(name, [shape]);
    mentioned.add(name);
    return name;
  }

  return {
    of: ofRoot,
    constantsOf(planned) {
      mentioned.clear();
      for (const each of planned) ofRoot(each);
      const values: PlanConstant[] = [];
      // The set grows while it is walked: a constant mentions others.
      for (const name of mentioned) values.push({ name, value: partsOf(constants.get(name) ?? []) });
      return values.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function isScalar({ kind }: Shape): boolean {
  return ["string", "number", "integer", "boolean", "enum", "null"].includes(kind);
}

/** An object that an arrow function gives stands in parentheses. */
function lazily(plan: Printable): Printable {
  return typeof plan === "string" && plan.startsWith("_") ? ["() => ", plan] : ["() => (", plan, ")"];
}

/** A default or an example as an expression, with its numbers as they are in programs. `decimal` prints an amount. */
export function programLiteral(
  value: unknown,
  shape: Shape,
  model: ServiceModel,
  decimal?: (lexeme: string) => Printable,
): Printable {
  const alternatives = alternativesOf(shape, model);
  if (typeof value === "number") {
    const kinds = alternatives.map(({ kind }) => kind);
    if (decimal !== undefined && kinds.includes("money")) return decimal(String(value).replace("e+", "e"));
    return jsonLiteral(kinds.includes("bigint") && Number.isInteger(value) ? BigInt(value) : value);
  }
  const partOf = (name: string): Shape | undefined => {
    for (const each of alternatives) {
      const part =
        each.kind === "object"
          ? each.fields.find((field) => field.name === name)?.shape
          : each.kind === "map"
            ? each.values
            : each.kind === "array"
              ? each.items
              : each.kind === "tuple"
                ? each.items[Number(name)]
                : undefined;
      if (part !== undefined) return part;
    }
    return undefined;
  };
  const part = (name: string, item: unknown): Printable => {
    const inner = partOf(name);
    return inner === undefined ? jsonLiteral(item) : programLiteral(item, inner, model, decimal);
  };
  // What holds no exact number is laid out as any other JSON.
  if (
    typeof value !== "object" ||
    value === null ||
    !alternatives.some((each) => holdsExactNumber(model, each))
  )
    return jsonLiteral(value);
  if (Array.isArray(value)) return arrayLiteral(value.map((item, at) => part(String(at), item)));
  return objectLiteral(Object.entries(value).map(([name, item]) => member(name, part(name, item))));
}

/** What a value may be, without references, null and alternatives. */
function alternativesOf(shape: Shape, model: ServiceModel): readonly Shape[] {
  const found = resolve(model, shape);
  if (found.kind !== "nullable" && found.kind !== "union" && found.kind !== "tagged") return [found];
  return shapeParts<Shape>(found).flatMap((part) => alternativesOf(part, model));
}
