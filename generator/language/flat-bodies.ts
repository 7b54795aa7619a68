import { bySectionThen } from "./canonical-order.ts";
import { resolveShape } from "./references/reach.ts";
import type { Scope } from "./references/scope.ts";
import type { FieldSpec, MethodSpec, Name, ShapeSpec } from "./spec.ts";

/** The value of a field in every body of an operation: one of these, or of one type of JSON. */
export type HeldValue =
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly type: JsonType };

export type JsonType = "string" | "number" | "boolean" | "array" | "object";

/** A flat operation, its fields, and the fields that select it. */
export interface FlatBody {
  readonly method: MethodSpec;
  /** Where it is not at the path of the interface: bodies at one path alone are distinguished. */
  readonly path: string | undefined;
  /** None: every body at its path is this operation. */
  readonly selectedBy: readonly Name[];
  /** Fields of all forms. */
  readonly fields: readonly FieldSpec[];
}

/** The flat operations of a spec, in the order in which a body is held against them (D-22). */
export function flatBodies(methods: readonly MethodSpec[], scope: Scope): readonly FlatBody[] {
  const placed = methods
    .toSorted(bySectionThen(({ name }) => name.value))
    .toSorted((a, b) => (a.flat?.order?.value ?? Infinity) - (b.flat?.order?.value ?? Infinity) || 0);
  return placed.flatMap((method) => {
    const fields = method.flat && fieldsOf(method, scope);
    if (fields === undefined) return [];
    return [{ method, path: method.path?.value, selectedBy: method.flat?.selectedBy ?? [], fields }];
  });
}

/** The fields of an operation that a body has whenever it is this operation. */
export function requiredOf({ method, fields }: FlatBody): readonly FieldSpec[] {
  if (method.payload.kind === "forms") return [];
  return fields.filter(({ optional, requiredWhen }) => !optional && requiredWhen === undefined);
}

/** Whether the value of a field, in any case, tells the bodies of two operations apart. */
export function tellsApart(name: string, one: FlatBody, other: FlatBody, scope: Scope): boolean {
  const [here, there] = [heldBy(one, name, scope), heldBy(other, name, scope)];
  if (here === undefined || there === undefined) return false;
  if ("oneOf" in here && "oneOf" in there) return here.oneOf.every((value) => !there.oneOf.includes(value));
  const types = typesOf(there);
  return typesOf(here).every((type) => !types.includes(type));
}

/**
 * The values by which the selecting fields select an operation. Only fields count that another operation is selected
 * by too, or cannot do without. By name of the field.
 */
export function selectingValues(
  body: FlatBody,
  bodies: readonly FlatBody[],
  scope: Scope,
): ReadonlyMap<string, HeldValue> {
  const shared = body.selectedBy.flatMap(({ value: name }) => {
    const isShared = bodies.some(
      (other) =>
        other !== body &&
        other.path === body.path &&
        [...other.selectedBy, ...requiredOf(other).map((field) => field.name)].some(({ value }) =>
          isSameName(value, name),
        ),
    );
    const held = isShared ? heldBy(body, name, scope) : undefined;
    return held === undefined ? [] : [[name, held] as const];
  });
  return new Map(shared);
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function fieldsOf({ payload }: MethodSpec, scope: Scope): readonly FieldSpec[] | undefined {
  if (payload.kind === "forms") return payload.forms.flatMap(({ shape }) => shape.fields);
  const resolved = resolveShape(payload, scope);
  return resolved?.kind === "object" ? resolved.fields : undefined;
}

/** The value that all fields of a name hold. */
function heldBy({ fields }: FlatBody, name: string, scope: Scope): HeldValue | undefined {
  const held = fields
    .filter((field) => isSameName(field.name.value, name))
    .map(({ shape }) => heldValue(resolveShape(shape, scope)));
  return held.length === 0 ? undefined : held.reduce(either);
}

function heldValue(shape: ShapeSpec | undefined): HeldValue | undefined {
  switch (shape?.kind) {
    case "enum":
      return { oneOf: shape.values.map(({ value, integer }) => integer ?? value.value) };
    case "scalar": {
      const constant = shape.constraints.find(({ key }) => key === "const");
      return constant === undefined ? { type: typeOfScalar(shape.scalar) } : { oneOf: [constant.value] };
    }
    case "array":
    case "object":
      return { type: shape.kind };
    default:
      return undefined;
  }
}

function typeOfScalar(scalar: string): JsonType {
  if (scalar === "boolean") return "boolean";
  return ["number", "integer", "money"].includes(scalar) ? "number" : "string";
}

function either(one: HeldValue | undefined, other: HeldValue | undefined): HeldValue | undefined {
  if (one === undefined || other === undefined) return undefined;
  if ("oneOf" in one && "oneOf" in other) return { oneOf: [...new Set([...one.oneOf, ...other.oneOf])] };
  const types = new Set([...typesOf(one), ...typesOf(other)]);
  const [type] = types;
  return types.size === 1 && type !== undefined ? { type } : undefined;
}

function typesOf(held: HeldValue): readonly JsonType[] {
  return "type" in held ? [held.type] : held.oneOf.map(typeOfValue);
}

function typeOfValue(value: string | number | boolean): JsonType {
  return typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean";
}
