import { bySectionThen } from "../canonical-order.ts";
import { closest } from "../closest.ts";
import { resolveShape } from "../reach.ts";
import type { MethodSpec, Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** What marks a body as an envelope (D-22). */
const envelopeKeys = ["method", "params", "jsonrpc"];

/** Flat bodies are told apart from envelopes and from each other by the fields they have. */
export function checkFlatMethods(context: RuleContext): void {
  const selectors = new Map<string, Name>();
  for (const method of context.spec.methods) {
    if (method.flat === undefined) continue;
    checkKeys(method, context);
    const fields = fieldsOf(method, context);
    if (fields === undefined) continue;
    checkEnvelopeNames(fields, context);
    for (const selector of method.flat.selectedBy) checkSelector(selector, fields, selectors, context);
  }
  checkOrder(context);
}

/** A body with the fields of two operations is the first of them in the document: then a later one needs fields of its own. */
function checkOrder(context: RuleContext): void {
  const inOrder = context.spec.methods.toSorted(bySectionThen(({ name }) => name.value));
  const earlier: Name[] = [];
  for (const method of inOrder) {
    if (method.flat === undefined) continue;
    const required = requiredFieldsOf(method, context).find(
      ({ value }) => takes(earlier, value) !== undefined,
    );
    const taken = required && takes(earlier, required.value);
    if (required !== undefined && taken !== undefined) {
      const related = { span: taken.span, message: "here" };
      context.report("flat-body-taken", method.flat.span, { name: required.value }, related);
    }
    earlier.push(...method.flat.selectedBy);
  }
}

function takes(selectors: readonly Name[], field: string): Name | undefined {
  return selectors.find(({ value }) => value.toLowerCase() === field.toLowerCase());
}

function requiredFieldsOf({ payload }: MethodSpec, { scope }: RuleContext): readonly Name[] {
  const resolved = payload.kind === "forms" ? undefined : resolveShape(payload, scope);
  if (resolved?.kind !== "object") return [];
  return resolved.fields
    .filter(({ optional, requiredWhen }) => !optional && requiredWhen === undefined)
    .map(({ name }) => name);
}

function checkKeys({ auth, jsonrpc, flat }: MethodSpec, { report }: RuleContext): void {
  const related = flat && { span: flat.span, message: "the body is flat" };
  if (auth !== undefined) report("flat-with-envelope-keys", auth.span, { key: "auth" }, related);
  if (jsonrpc !== undefined) report("flat-with-envelope-keys", jsonrpc.span, { key: "jsonrpc" }, related);
}

function fieldsOf({ payload }: MethodSpec, { scope }: RuleContext): readonly Name[] | undefined {
  if (payload.kind === "forms") {
    return payload.forms.flatMap((form) => form.shape.fields.map((field) => field.name));
  }
  const resolved = resolveShape(payload, scope);
  return resolved?.kind === "object" ? resolved.fields.map((field) => field.name) : undefined;
}

function checkEnvelopeNames(fields: readonly Name[], { report }: RuleContext): void {
  for (const { value, span } of fields) {
    if (envelopeKeys.includes(value.toLowerCase())) report("flat-field-of-envelope", span, { name: value });
  }
}

function checkSelector(
  selector: Name,
  fields: readonly Name[],
  selectors: Map<string, Name>,
  { report }: RuleContext,
): void {
  const names = fields.map((field) => field.value);
  if (!names.includes(selector.value)) {
    const suggestion = closest(selector.value, names);
    report("flat-selector-unknown", selector.span, { name: selector.value, suggestion });
    return;
  }
  const key = selector.value.toLowerCase();
  const other = selectors.get(key);
  if (other === undefined) selectors.set(key, selector);
  else {
    const related = { span: other.span, message: "the other operation" };
    report("flat-selectors-overlap", selector.span, { name: selector.value }, related);
  }
}
