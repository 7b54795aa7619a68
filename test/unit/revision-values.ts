import {
  resolve,
  type FieldModel,
  type ObjectTypeShape,
  type ServiceModel,
  type Shape,
} from "../../generator/model/index.ts";
import { scalarSamples, type SampleReading } from "../../conformance/samples/index.ts";
import { fc } from "../seed.ts";

/** Any value of a shape, money as numbers; groups and conditions are left to whoever filters. */
export function valuesOf(
  model: ServiceModel,
  shape: Shape,
  direction: "request" | "response",
): fc.Arbitrary<unknown> {
  const reading: SampleReading = { direction, resolve: (inner: Shape) => resolve(model, inner) };
  const values = (at: Shape, depth: number): fc.Arbitrary<unknown> => {
    const known = resolve(model, at);
    switch (known.kind) {
      case "object":
        return objects(known, depth);
      case "array": {
        const least = known.itemsMin ?? 0;
        const most = Math.max(least, Math.min(known.itemsMax ?? 3, depth > 3 ? 0 : 3));
        if (most === 0) return fc.constant([]);
        return fc.array(values(known.items, depth + 1), { minLength: least, maxLength: most });
      }
      case "enum":
        return fc.constantFrom(...known.values.map(({ value }) => value));
      case "boolean":
        return known.const === undefined ? fc.boolean() : fc.constant(known.const);
      case "nullable":
        return fc.oneof(fc.constant(null), values(known.shape, depth));
      case "tagged":
        return fc.oneof(...known.cases.map(({ shape }) => values(shape, depth)));
      default:
        return fc.constantFrom(...scalarSamples(known, 3, reading));
    }
  };
  const objects = ({ fields }: ObjectTypeShape, depth: number): fc.Arbitrary<unknown> =>
    fc
      .tuple(...fields.map((field) => members(field, depth)))
      .map((entries) => Object.fromEntries(entries.flat()));
  const members = (
    field: FieldModel,
    depth: number,
  ): fc.Arbitrary<readonly (readonly [string, unknown])[]> => {
    const present = values(field.shape, depth + 1).map((value) => {
      const names =
        direction === "response" && field.alsoSentAs !== undefined
          ? [field.name, field.alsoSentAs]
          : [field.name];
      return names.map((name) => [name, value] as const);
    });
    if (field.presence.kind === "required") return present;
    return depth > 6 ? fc.constant([]) : fc.oneof(present, fc.constant([]));
  };
  return values(shape, 0);
}
