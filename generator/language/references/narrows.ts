import { resolveShape } from "./reach.ts";
import type { Scope } from "./scope.ts";
import type { ConstraintSpec, FieldSpec, ShapeSpec } from "../spec.ts";

type Types = Pick<Scope, "types">;

/** Whether every value of a field, absent ones too, is one of another field: as far as their types show it. */
export function narrows(field: FieldSpec, base: FieldSpec, scope: Types): boolean {
  if (isRequired(base) && !isRequired(field)) return false;
  return fits(field.shape, base.shape, scope);
}

function isRequired({ optional, requiredWhen }: FieldSpec): boolean {
  return optional === undefined && requiredWhen === undefined;
}

function fits(shape: ShapeSpec, base: ShapeSpec, scope: Types): boolean {
  if (shape === base) return true;
  if (shape.kind === "ref" && base.kind === "ref" && shape.type.value === base.type.value) return true;
  const [own, other] = [resolveShape(shape, scope), resolveShape(base, scope)];
  // What is unknown is reported elsewhere.
  if (own === undefined || other === undefined || own === other) return true;
  if (other.kind === "json") return true;
  if (other.kind === "union") {
    const alternatives = own.kind === "union" ? own.alternatives : [own];
    return alternatives.every((each) => other.alternatives.some((wider) => fits(each, wider, scope)));
  }
  if (!other.constraints.every((constraint) => isMet(constraint, own.constraints))) return false;
  if (own.kind === "enum") {
    if (other.kind === "scalar") {
      const isText = own.values.every(({ integer }) => integer === undefined);
      return other.constraints.length === 0 && other.scalar === (isText ? "string" : "integer");
    }
    if (other.kind !== "enum") return false;
    const wider = new Set(other.values.map(({ value, integer }) => integer ?? value.value));
    return own.values.every(({ value, integer }) => wider.has(integer ?? value.value));
  }
  if (own.kind === "scalar" && other.kind === "scalar") {
    return own.scalar === other.scalar || (own.scalar === "integer" && other.scalar === "number");
  }
  return own.kind === "array" && other.kind === "array" && fits(own.items, other.items, scope);
}

/** Whether a shape's own constraints ask no less than one of another shape. */
function isMet({ key, value }: ConstraintSpec, own: readonly ConstraintSpec[]): boolean {
  const constant = own.find((each) => each.key === "const")?.value;
  const mine = own.find((each) => each.key === key)?.value;
  switch (key) {
    case "minimum":
    case "minLength":
    case "minItems":
    case "above":
      return [mine, typeof constant === "number" && key === "minimum" ? constant : undefined].some(
        (each) => typeof each === "number" && each >= Number(value),
      );
    case "maximum":
    case "maxLength":
    case "maxItems":
    case "below":
      return [mine, typeof constant === "number" && key === "maximum" ? constant : undefined].some(
        (each) => typeof each === "number" && each <= Number(value),
      );
    default:
      return mine === value;
  }
}
