import { omitUndefined } from "../base/omit-undefined.ts";
import { memberOf } from "../request/access.ts";
import type { FieldShape, ObjectShape, Reading, Shape } from "../values/index.ts";
import { ownDecisions } from "../suite/own-decisions.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/**
 * An interface reduced to what the document says may be sent: fields that it leaves open get no values.
 */
export function documented(suite: Suite, reading: Reading): Suite {
  return { ...suite, methods: suite.methods.map((method) => documentedMethod(method, suite, reading)) };
}

function documentedMethod(method: MethodEntry, suite: Suite, reading: Reading): MethodEntry {
  const least = Object.entries(method.bases).filter(([name]) => name.endsWith("minimal"));
  const shapeOf = (shape: ObjectShape, form = ""): ObjectShape => {
    const base = least.find(([name]) => name.startsWith(form))?.[1];
    return documentedShape(shape, base, suite, reading);
  };
  const { payload } = method;
  return {
    ...method,
    payload:
      payload.kind === "single"
        ? { ...payload, shape: shapeOf(payload.shape) }
        : {
            ...payload,
            forms: payload.forms.map(({ name, shape }) => ({ name, shape: shapeOf(shape, name) })),
          },
    ...omitUndefined({ bases: least.length === 0 ? undefined : Object.fromEntries(least) }),
  };
}

function documentedShape(shape: ObjectShape, base: unknown, suite: Suite, reading: Reading): ObjectShape {
  const fields = shape.fields
    .filter(({ presence }) => presence.kind !== "required-when")
    .map((field): FieldShape => {
      const given = memberOf(base, field.name);
      return { ...field, shape: documentedValues(field, given, shape, suite, reading) };
    });
  return { ...shape, fields };
}

/**
 * The values of an enum that ask for nothing more, or the given one if the document does not say which are accepted.
 */
function documentedValues(
  field: FieldShape,
  given: unknown,
  { fields }: ObjectShape,
  suite: Suite,
  reading: Reading,
): Shape {
  const resolved = reading.resolve(field.shape);
  if (resolved.kind !== "enum") return field.shape;
  if (typeof given === "string" && ownDecisions(field, suite).length > 0)
    return { kind: "string", const: given };
  const asking = fields.flatMap(({ presence }) =>
    presence.kind === "required-when" && presence.field === field.name ? presence.values : [],
  );
  if (asking.length === 0) return field.shape;
  return {
    ...resolved,
    values: resolved.values.filter(({ value }) => !asking.some((each) => each === value)),
  };
}
