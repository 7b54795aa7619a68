import type { FieldSpec, Name, ObjectSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

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
  const byName = new Map<string, Name>();
  for (const { name } of object.fields) {
    const earlier = byName.get(name.value);
    if (earlier === undefined) byName.set(name.value, name);
    else {
      const related = { span: earlier.span, message: "first here" };
      report("duplicate-field", name.span, { name: name.value }, related);
    }
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
