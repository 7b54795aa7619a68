import { languageOf } from "../../protocols/languages.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { isMethodName } from "../structure/schema.ts";
import type { RuleContext } from "./context.ts";
import { resolveShape } from "../references/reach.ts";
import type { FieldSpec, MethodSpec, Name, ShapeSpec } from "../spec.ts";
import { soundPattern } from "../patterns/patterns.ts";
import { checkErrorGiven } from "./examples.ts";

/** Services, authentication and effects of methods. */
export function checkMethods(context: RuleContext): void {
  for (const method of context.spec.methods) {
    checkService(method, context);
    checkAuth(method, context);
    checkPath(method, context);
    const [emitted] = method.emits;
    if (method.effect.value === "read" && emitted !== undefined) {
      const related = { span: emitted.span, message: "it causes an event here" };
      context.report("read-with-effects", method.effect.span, { method: method.name.value }, related);
    }
  }
}

function checkService(method: MethodSpec, { own, report }: RuleContext): void {
  const { value, span } = method.name;
  if (!languageOf(own.wire.protocol).namesServices || !isMethodName(own.wire.protocol, value)) return;
  const services = own.services.map((service) => service.name.value);
  const dot = value.indexOf(".");
  if (dot === -1) {
    if (services.length > 0 && method.flat === undefined) {
      report("method-without-service", span, { method: value, services });
    }
    return;
  }
  const service = value.slice(0, dot);
  if (services.includes(service)) return;
  report("unknown-service", span, { service, suggestion: closest(service, services) });
}

function checkPath({ path }: MethodSpec, { own, report }: RuleContext): void {
  if (path === undefined || path.value !== own.path) return;
  report("method-path-of-interface", path.span, { path: path.value });
}

function checkAuth(method: MethodSpec, { own, scope, report }: RuleContext): void {
  if (method.flat !== undefined || !languageOf(own.wire.protocol).hasAuthMembers) return;
  const members = (scope.auth?.members ?? []).map((member) => member.name.value);
  if (method.auth === undefined) {
    if (members.length > 0)
      report("method-auth-missing", method.span, { method: method.name.value, members });
    return;
  }
  for (const { value, span } of method.auth.members) {
    if (members.includes(value)) continue;
    report("auth-member-unknown", span, { name: value, members, suggestion: closest(value, members) });
  }
}

type Resolved = ReturnType<typeof resolveShape>;

/** A type that a field has to have, and its name in diagnostics. */
interface Wanted {
  readonly text: string;
  fits(shape: NonNullable<Resolved>): boolean;
}

const integer: Wanted = {
  text: "an integer",
  fits: (shape) => shape.kind === "scalar" && shape.scalar === "integer",
};
/** An integer, or a text of digits: its pattern takes the numbers of pages, and no letter. */
const pageNumber = (first = 1): Wanted => ({
  text: "an integer, or a string with a `pattern` of digits",
  fits(shape) {
    if (integer.fits(shape) || shape.kind !== "scalar" || shape.scalar !== "string")
      return integer.fits(shape);
    const value = shape.constraints.find(({ key }) => key === "pattern")?.value;
    const pattern = soundPattern(typeof value === "string" ? value : undefined);
    if (pattern === undefined) return value !== undefined;
    const digits = new RegExp(pattern, "u");
    return [first, first + 1, 10].every((page) => digits.test(String(page))) && !digits.test("a");
  },
});
const cursorValue: Wanted = {
  text: "a string or an integer",
  fits: (shape) => shape.kind === "scalar" && ["string", "integer", "base64"].includes(shape.scalar),
};
const nextValue = ({ scope }: RuleContext): Wanted => ({
  text: `${cursorValue.text}, or null`,
  fits(shape) {
    const parts = shape.kind === "union" ? shape.alternatives : [shape];
    return parts.every((part) => {
      const inner = resolveShape(part, scope);
      return inner === undefined || inner.kind === "null" || cursorValue.fits(inner);
    });
  },
});
const array: Wanted = { text: "an array", fits: (shape) => shape.kind === "array" };
const pem: Wanted = { text: "a pem", fits: (shape) => shape.kind === "scalar" && shape.scalar === "pem" };
const string: Wanted = {
  text: "a string",
  fits: (shape) => shape.kind === "scalar" && shape.scalar === "string",
};

/** A method that names its own fields for what they do names fields that it has and that can do it. */
export function checkMethodFields(context: RuleContext): void {
  for (const method of context.spec.methods) {
    const { paging, registersKey } = method;
    if (paging !== undefined) {
      const { page, cursor, next } = paging;
      const isNumbered = page !== undefined && cursor === undefined && next === undefined;
      const isCursor = page === undefined && cursor !== undefined && next !== undefined;
      if (!isNumbered && !isCursor) context.report("paging-style", paging.span, {});
      if (page !== undefined) checkField("page", page, "payload", pageNumber(paging.first), method, context);
      if (cursor !== undefined) checkField("cursor", cursor, "payload", cursorValue, method, context);
      if (cursor !== undefined) checkCursorOptional(cursor, method, context);
      if (next !== undefined) checkField("next", next, "result", nextValue(context), method, context);
      if (paging.size !== undefined)
        checkField("size", paging.size, "payload", pageNumber(), method, context);
      if (paging.empty !== undefined) checkErrorGiven(paging.empty, method, context);
      if (paging.filter !== undefined)
        checkField("filter", paging.filter, "payload", string, method, context);
      checkField("items", paging.items, "result", array, method, context);
    }
    if (registersKey !== undefined) {
      checkField("publicKey", registersKey.publicKey, "payload", pem, method, context);
      checkField("keyId", registersKey.keyId, "result", string, method, context);
    }
  }
}

/** The first page is asked for without a cursor. */
function checkCursorOptional(
  { value, span }: Name,
  method: MethodSpec,
  { scope, report }: RuleContext,
): void {
  const field = fieldsOf(method.payload, scope)?.find((one) => one.name.value === value);
  if (field !== undefined && !field.optional)
    report("method-field-type", span, { key: "cursor", name: value, wanted: "optional" });
}

function checkField(
  key: string,
  { value, span }: Name,
  part: "payload" | "result",
  wanted: Wanted,
  method: MethodSpec,
  { scope, report }: RuleContext,
): void {
  const fields = fieldsOf(method[part], scope);
  if (fields === undefined) return;
  const field = fields.find((one) => one.name.value === value);
  if (field === undefined) {
    const names = fields.map((one) => one.name.value);
    report("method-field-unknown", span, { key, name: value, part, suggestion: closest(value, names) });
    return;
  }
  const shape = resolveShape(field.shape, scope);
  if (shape !== undefined && !wanted.fits(shape)) {
    report("method-field-type", span, { key, name: value, wanted: wanted.text });
  }
}

/** Undefined where the object could not be read, which has been reported. */
function fieldsOf(
  object: MethodSpec["payload"] | ShapeSpec,
  scope: RuleContext["scope"],
): readonly FieldSpec[] | undefined {
  if (object.kind === "forms") return object.forms.flatMap((form) => form.shape.fields);
  const shape: ShapeSpec = object;
  const resolved = resolveShape(shape, scope);
  return resolved?.kind === "object" ? resolved.fields : resolved && [];
}

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
