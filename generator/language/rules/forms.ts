import type { FieldSpec, FormSpec, MethodSpec, Name, ObjectSpec, ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { resolveShape } from "../references/reach.ts";
import { checkIgnoringCase } from "./fields.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { flatBodies, isSameName, requiredOf, tellsApart, type FlatBody } from "../flat-bodies.ts";

/** A field that chooses among forms is a different constant in each, and required in all but one. */
export function checkForms({ spec, report }: RuleContext): void {
  for (const { payload } of spec.methods) {
    if (payload.kind !== "forms" || payload.selectedBy.value === "stored") continue;
    const { value: field, span } = payload.selectedBy;
    const byConstant = new Map<unknown, FormSpec>();
    let usual: FormSpec | undefined;
    for (const form of payload.forms) {
      const constant = constantIn(form, field);
      if (constant === undefined) {
        const related = { span, message: "chosen by this field" };
        report("forms-selector-not-const", form.name.span, { form: form.name.value, field }, related);
        continue;
      }
      if (constant.isOptional && usual !== undefined) {
        const params = { field, value: "absent", other: usual.name.value };
        report("forms-ambiguous", form.name.span, params, {
          span: usual.name.span,
          message: "the other form",
        });
      }
      if (constant.isOptional) usual ??= form;
      const other = byConstant.get(constant.value);
      if (other === undefined) byConstant.set(constant.value, form);
      else {
        const params = { field, value: String(constant.value), other: other.name.value };
        report("forms-ambiguous", constant.span, params, {
          span: other.name.span,
          message: "the other form",
        });
      }
    }
  }
}

function constantIn(form: FormSpec, name: string) {
  const field = form.shape.fields.find((candidate) => candidate.name.value === name);
  if (field === undefined || field.requiredWhen !== undefined || field.shape.kind === "unknown")
    return undefined;
  const constant = field.shape.constraints.find((constraint) => constraint.key === "const");
  return constant && { ...constant, isOptional: field.optional !== undefined };
}

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

/** The members that mark a body as an envelope (D-22). */
const envelopeKeys = ["method", "params", "jsonrpc"];

/** The fields of a flat body, and their values, distinguish it from envelopes and from other flat bodies. */
export function checkFlatMethods(context: RuleContext): void {
  const earlier: FlatBody[] = [];
  for (const method of context.spec.methods) {
    if (method.flat === undefined) continue;
    checkKeys(method, context);
    const [body] = flatBodies([method], context.scope);
    if (body === undefined) continue;
    const names = body.fields.map((field) => field.name);
    checkEnvelopeNames(names, context);
    for (const selector of body.selectedBy) checkSelector(selector, body, earlier, context);
    checkAlone(body, earlier, context);
    earlier.push(body);
  }
  checkOrder(context);
}

/** A body with the fields of two operations is the first of them in the document: then a later one needs fields of its own. */
function checkOrder({ spec, scope, report }: RuleContext): void {
  const earlier: FlatBody[] = [];
  for (const body of flatBodies(spec.methods, scope)) {
    const [taken] = requiredOf(body).flatMap(({ name }) => {
      const by = takenBy(name.value, body, earlier, scope);
      return by === undefined ? [] : [{ name: name.value, by }];
    });
    if (taken !== undefined && body.method.flat !== undefined) {
      report(
        "flat-body-taken",
        body.method.flat.span,
        { name: taken.name },
        { span: taken.by.span, message: "here" },
      );
    }
    earlier.push(body);
  }
}

/** The operation that a body with this field selects instead. */
function takenBy(
  name: string,
  body: FlatBody,
  others: readonly FlatBody[],
  scope: RuleContext["scope"],
): Name | undefined {
  for (const other of others) {
    if (other.path !== body.path) continue;
    const selector = other.selectedBy.find(({ value }) => isSameName(value, name));
    if (selector !== undefined && !tellsApart(name, body, other, scope)) return selector;
  }
  return undefined;
}

/** A body without anything that selects it is the only one at a path of its own. */
function checkAlone(body: FlatBody, earlier: readonly FlatBody[], { report }: RuleContext): void {
  const { method, path, selectedBy } = body;
  if (method.flat === undefined) return;
  const related = { span: method.flat.span, message: "the other operation" };
  if (selectedBy.length === 0 && path === undefined) report("flat-unselected", method.flat.span, { path });
  const beside = path === undefined ? [] : earlier.filter((each) => each.path === path);
  const all = beside.find((each) => selectedBy.length === 0 || each.selectedBy.length === 0);
  if (all?.method.flat !== undefined) report("flat-unselected", all.method.flat.span, { path }, related);
}

function checkKeys({ auth, jsonrpc, requestId, flat }: MethodSpec, { report }: RuleContext): void {
  const related = flat && { span: flat.span, message: "the body is flat" };
  for (const [key, found] of Object.entries({ auth, jsonrpc, requestId }))
    if (found !== undefined) report("flat-with-envelope-keys", found.span, { key }, related);
}

function checkEnvelopeNames(fields: readonly Name[], { report }: RuleContext): void {
  for (const { value, span } of fields) {
    if (envelopeKeys.includes(value.toLowerCase())) report("flat-field-of-envelope", span, { name: value });
  }
}

function checkSelector(
  selector: Name,
  body: FlatBody,
  earlier: readonly FlatBody[],
  { scope, report }: RuleContext,
): void {
  const names = body.fields.map(({ name }) => name.value);
  if (!names.includes(selector.value)) {
    const suggestion = closest(selector.value, names);
    report("flat-selector-unknown", selector.span, { name: selector.value, suggestion });
    return;
  }
  const other = takenBy(selector.value, body, earlier, scope);
  if (other === undefined) return;
  const related = { span: other.span, message: "the other operation" };
  report("flat-selectors-overlap", selector.span, { name: selector.value }, related);
}
