import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import type { FieldSpec, MethodSpec, Name, ShapeSpec } from "../spec.ts";
import { soundPattern } from "../patterns/patterns.ts";
import type { RuleContext } from "./context.ts";
import { checkErrorGiven } from "./examples.ts";

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
