import { languageOf } from "../../protocols/languages.ts";
import { resolveShape } from "../references/reach.ts";
import type { FieldSpec, MethodSpec, ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** Methods of JSON-RPC 2.0: positions of parameters, and calls without an answer. */
export function checkStandardMethods(context: RuleContext): void {
  const { spec, own } = context;
  if (!languageOf(own.wire.protocol).hasPositions) return;
  for (const method of spec.methods) {
    const style = method.params?.value ?? own.wire.params?.value ?? "by-name";
    if (style !== "by-name") checkPositions(method, style, context);
    checkNotified(method, context);
  }
  checkTransports(context);
  const [served] = own.serves;
  if (served !== undefined) context.report("serves-standard", served.spec.span, {});
}

/** An array leaves out a parameter before its end by `null` (section 4.2), unless that is a value of the parameter. */
function checkPositions(
  method: MethodSpec,
  style: "by-position" | "either",
  { scope, report }: RuleContext,
): void {
  if (method.payload.kind === "forms") return;
  const payload = resolveShape(method.payload, scope);
  if (payload?.kind !== "object") return;
  let optional: FieldSpec | undefined;
  for (const field of payload.fields) {
    const isRequired = field.optional === undefined && field.requiredWhen === undefined;
    if (!isRequired) optional ??= takesNull(field.shape, scope) ? field : undefined;
    else if (optional !== undefined) {
      const params = { name: field.name.value, optional: optional.name.value, style };
      const related = { span: optional.name.span, message: "this one may be left out" };
      report("parameter-after-optional", field.name.span, params, related);
    }
  }
}

function takesNull(
  shape: ShapeSpec,
  scope: RuleContext["scope"],
  seen: ReadonlySet<object> = new Set(),
): boolean {
  const resolved = resolveShape(shape, scope);
  if (resolved === undefined || seen.has(resolved)) return false;
  if (resolved.kind === "union") {
    const within = new Set(seen).add(resolved);
    return resolved.alternatives.some((each) => takesNull(each, scope, within));
  }
  return resolved.kind === "null" || resolved.kind === "json";
}

/** Nothing is sent back to a notification, errors included (section 4.1). */
function checkNotified(method: MethodSpec, { scope, report }: RuleContext): void {
  const { notify } = method;
  if (notify?.value !== "only") return;
  const related = { span: notify.span, message: "it is never answered" };
  const name = method.name.value;
  const result = method.result.kind === "unknown" ? undefined : resolveShape(method.result, scope);
  const hasResult = result !== undefined && result.kind !== "null";
  if (hasResult) report("notification-answered", notify.span, { name, key: "result" });
  const [error] = method.errors;
  if (error !== undefined) {
    report("notification-answered", error.code.span, { name, key: "errors" }, related);
  }
}

function checkTransports({ own, report }: RuleContext): void {
  const { http, transports } = own.wire;
  if (http === undefined || transports === undefined) return;
  const names = transports.map(({ value }) => value);
  if (names.includes("http") || names.includes("websocket")) return;
  report("http-not-served", http.span, { transports: names });
}
