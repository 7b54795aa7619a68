import { resolveShape } from "../references/reach.ts";
import type { FieldSpec, ObjectSpec, ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { checkIgnoringCase } from "./fields.ts";

/**
 * A request is read before it is known which form it has: by all of them at once, at every depth. So names have to
 * tell the fields of all forms apart, and amounts are amounts in every form that has them.
 */
export function checkMergedForms(context: RuleContext): void {
  for (const { payload } of context.spec.methods) {
    if (payload.kind !== "forms") continue;
    checkMerged(
      payload.forms.map(({ shape }) => shape),
      context,
      new Set(),
    );
  }
}

function checkMerged(objects: readonly ObjectSpec[], context: RuleContext, seen: Set<string>): void {
  if (objects.length < 2) return;
  const key = objects.map(({ span }) => `${span.source.path}:${span.start}`).join(" ");
  if (seen.has(key)) return;
  seen.add(key);
  if (!hasCollisionsAlone(objects))
    checkIgnoringCase({ fields: objects.flatMap(({ fields }) => fields) }, context);
  const byName = new Map<string, FieldSpec[]>();
  for (const field of objects.flatMap(({ fields }) => fields))
    byName.set(field.name.value, [...(byName.get(field.name.value) ?? []), field]);
  for (const variants of byName.values()) {
    checkAmounts(variants, context);
    const inner = variants.flatMap(({ shape }) => elementOf(shape, context) ?? []);
    checkMerged([...new Set(inner.filter((shape) => shape.kind === "object"))], context, seen);
  }
}

/** Whether one of them is wrong by itself: that is said where it is looked at alone. */
function hasCollisionsAlone(objects: readonly ObjectSpec[]): boolean {
  return objects.some(({ fields }) => {
    const names = fields.flatMap(({ name, spellings }) => [
      ...new Set([name, ...spellings].map(({ value }) => value.toLowerCase())),
    ]);
    return new Set(names).size !== names.length;
  });
}

function checkAmounts(variants: readonly FieldSpec[], { scope, report }: RuleContext): void {
  const kinds = variants.map((field) => ({ field, kind: kindOf(elementOf(field.shape, { scope })) }));
  const amount = kinds.find(({ kind }) => kind === "money");
  const number = kinds.find(({ kind }) => kind === "number" || kind === "integer");
  if (amount === undefined || number === undefined) return;
  report(
    "forms-amount",
    number.field.name.span,
    { name: number.field.name.value },
    {
      span: amount.field.name.span,
      message: "an amount here",
    },
  );
}

/** The shapes in a value, after names and arrays are resolved. */
function elementOf(shape: ShapeSpec, { scope }: Pick<RuleContext, "scope">): ShapeSpec | undefined {
  const at = resolveShape(shape, scope);
  return at?.kind === "array" ? elementOf(at.items, { scope }) : at;
}

function kindOf(shape: ShapeSpec | undefined): string | undefined {
  return shape?.kind === "scalar" ? shape.scalar : undefined;
}
