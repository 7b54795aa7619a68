import { closest } from "../../../conformance/base/closest.ts";
import { flatBodies, isSameName, requiredOf, tellsApart, type FlatBody } from "../flat-bodies.ts";
import type { MethodSpec, Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

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
