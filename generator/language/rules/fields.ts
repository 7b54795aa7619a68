import type { FieldGroupSpec, FieldSpec, Located, Name, ObjectSpec } from "../spec.ts";
import { repeated, type RuleContext } from "./context.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import { pathOf } from "../shape-parts.ts";

/** The names of an object's fields, and of their other spellings, tell the fields apart. */
export function checkFields(context: RuleContext): void {
  for (const object of context.objects) {
    checkDuplicates(object, context);
    checkAlsoSentAs(object, context);
    const directions = context.reach.objects.get(object);
    if (directions?.has("request")) checkIgnoringCase(object, context);
  }
}

function checkDuplicates(object: ObjectSpec, { report }: RuleContext): void {
  for (const { item, first } of repeated(object.fields, ({ name }) => name.value)) {
    const { value, span } = item.name;
    report("duplicate-field", span, { name: value }, { span: first.name.span, message: "first here" });
  }
}

function checkAlsoSentAs(object: ObjectSpec, { report }: RuleContext): void {
  const taken = new Map(object.fields.map((field) => [field.name.value, field]));
  for (const field of object.fields) {
    const second = field.alsoSentAs;
    if (second === undefined) continue;
    const other = taken.get(second.value);
    if (other === undefined) taken.set(second.value, field);
    else {
      const params = { name: second.value, other: other.name.value };
      report("also-sent-as-collision", second.span, params, {
        span: other.name.span,
        message: "the other one",
      });
    }
  }
}

/**
 * Requests match names ignoring case (D-11). The fields may be those of several objects that a request is read by at
 * once; of one name they are one then.
 */
export function checkIgnoringCase(
  { fields: all }: { readonly fields: readonly FieldSpec[] },
  { report }: RuleContext,
): void {
  const fields = new Map<string, FieldSpec>();
  for (const field of all) {
    const key = field.name.value.toLowerCase();
    const earlier = fields.get(key);
    if (earlier === undefined) fields.set(key, field);
    else if (earlier.name.value !== field.name.value) {
      const params = { name: field.name.value, other: earlier.name.value };
      report("name-case-collision", field.name.span, params, {
        span: earlier.name.span,
        message: "the other one",
      });
    }
  }
  for (const field of all) {
    for (const spelling of field.spellings) {
      const other = fields.get(spelling.value.toLowerCase());
      if (other === undefined) fields.set(spelling.value.toLowerCase(), field);
      else if (other.name.value !== field.name.value) {
        const params = { spelling: spelling.value, other: other.name.value };
        const related = { span: other.name.span, message: "the other field" };
        report("spelling-collision", spelling.span, params, related);
      }
    }
  }
}

/** Types and tests go through every pair of fields of a group. */
const groupedMax = 200;

/** When fields are there: optional, required-when, and groups of which one is. */
export function checkPresence(context: RuleContext): void {
  for (const object of context.objects) {
    const fields = new Map(object.fields.map((field) => [field.name.value, field]));
    for (const field of object.fields) checkRequiredWhen(field, fields, context);
    const beyond = [...object.atLeastOneOf, ...object.exactlyOneOf].flat()[groupedMax];
    if (beyond !== undefined) context.report("groups-too-large", beyond.span, { most: groupedMax });
    for (const group of object.atLeastOneOf) checkGroup("atLeastOneOf", group, fields, context);
    for (const group of object.exactlyOneOf) checkGroup("exactlyOneOf", group, fields, context);
  }
}

type Fields = ReadonlyMap<string, FieldSpec>;

function checkRequiredWhen(field: FieldSpec, fields: Fields, context: RuleContext): void {
  const { requiredWhen } = field;
  if (requiredWhen === undefined) return;
  const { report } = context;
  if (field.optional !== undefined) {
    const related = { span: requiredWhen.span, message: "and required here" };
    report("optional-and-required-when", field.optional, { name: field.name.value }, related);
  }
  const other = fields.get(requiredWhen.field.value);
  if (other === undefined || other === field) {
    const others = [...fields.keys()].filter((name) => name !== field.name.value);
    const { value, span } = requiredWhen.field;
    report("required-when-unknown-field", span, {
      name: value,
      isItself: other === field,
      suggestion: closest(value, others),
    });
    return;
  }
  for (const literal of requiredWhen.is) checkLiteral(literal, other, context);
}

function checkLiteral(
  literal: Located<string | boolean>,
  field: FieldSpec,
  { scope, report }: RuleContext,
): void {
  const shape = resolveShape(field.shape, scope);
  if (shape === undefined) return;
  if (shape.kind === "enum") {
    const values = shape.values.flatMap(({ value, integer }) => (integer === undefined ? [value.value] : []));
    if (values.some((value) => value === literal.value)) return;
    const suggestion = closest(String(literal.value), values);
    report("required-when-value", literal.span, {
      value: literal.value,
      field: field.name.value,
      suggestion,
    });
    return;
  }
  const fits =
    shape.kind === "scalar" && (shape.scalar === "boolean") === (typeof literal.value === "boolean")
      ? shape.scalar === "boolean" || shape.scalar === "string"
      : false;
  if (fits) return;
  const params = { value: literal.value, field: field.name.value, suggestion: undefined };
  report("required-when-value", literal.span, params);
}

function checkGroup(
  key: "atLeastOneOf" | "exactlyOneOf",
  group: FieldGroupSpec,
  fields: Fields,
  context: RuleContext,
): void {
  const { report } = context;
  const [only] = group;
  if (group.length === 1 && only !== undefined) {
    report("group-too-small", only.span, { key, name: only.value });
  }
  for (const member of group) {
    const path = pathOf(member, [...fields.values()]);
    if (path.length > 1) {
      checkPath(key, member, path, fields, context);
      continue;
    }
    const field = fields.get(member.value);
    if (field === undefined) {
      const suggestion = closest(member.value, fields.keys());
      report("group-unknown-field", member.span, { name: member.value, suggestion });
    } else if (field.optional === undefined && field.requiredWhen === undefined) {
      const related = { span: field.name.span, message: "required here" };
      report("group-field-required", member.span, { key, name: member.value }, related);
    }
  }
}

/** A path leads through objects, and something on it may be absent. */
function checkPath(
  key: "atLeastOneOf" | "exactlyOneOf",
  member: Name,
  path: readonly string[],
  fields: Fields,
  { scope, report }: RuleContext,
): void {
  let within: Fields = fields;
  let isAlways = true;
  for (const [at, step] of path.entries()) {
    const field = within.get(step);
    if (field === undefined) {
      const suggested = closest(step, within.keys());
      const suggestion = suggested && [...path.slice(0, at), suggested, ...path.slice(at + 1)].join(".");
      report("group-unknown-field", member.span, { name: member.value, suggestion });
      return;
    }
    isAlways &&= field.optional === undefined && field.requiredWhen === undefined;
    const shape = resolveShape(field.shape, scope);
    within = new Map(shape?.kind === "object" ? shape.fields.map((each) => [each.name.value, each]) : []);
  }
  if (isAlways) report("group-field-required", member.span, { key, name: member.value });
}

/** An enum has each value once. */
export function checkEnums({ shapes, report }: RuleContext): void {
  for (const shape of shapes) {
    if (shape.kind !== "enum") continue;
    for (const { item, first } of repeated(shape.values, ({ value }) => value.value)) {
      const { value, span } = item.value;
      report("enum-duplicate-value", span, { value }, { span: first.value.span, message: "first here" });
    }
  }
}

interface Renamed {
  readonly name: Name;
  readonly renamedFrom?: Name;
}

/** Requires that a former name is no present name of its kind, and is given once. */
export function checkRenamings({ spec, shapes, objects, report }: RuleContext): void {
  const groups: readonly (readonly Renamed[])[] = [
    spec.methods,
    spec.types,
    spec.errors.map((error) => ({ ...error, name: error.code })),
    spec.events,
    ...objects.map((object) => object.fields),
    ...shapes.flatMap((shape) =>
      shape.kind === "enum" ? [shape.values.map((value) => ({ ...value, name: value.value }))] : [],
    ),
  ];
  for (const group of groups) checkPastNames(group, report);
}

function checkPastNames(group: readonly Renamed[], report: RuleContext["report"]): void {
  const present = new Map(group.map(({ name }) => [name.value, name]));
  const past = new Map<string, Name>();
  for (const { renamedFrom: from } of group) {
    if (from === undefined) continue;
    const other = present.get(from.value) ?? past.get(from.value);
    if (other === undefined) past.set(from.value, from);
    else {
      const related = { span: other.span, message: "here" };
      report("renamed-from-taken", from.span, { name: from.value }, related);
    }
  }
}
