import { protocolOf } from "../../generator/protocols/index.ts";
import {
  typeOf,
  type MethodModel,
  type ObjectTypeShape,
  type ServiceModel,
  type Shape,
  payloadShapes,
} from "../../generator/model/index.ts";
import { hintFor } from "../../conformance/base/closest.ts";

/** A part of the params and its place. */
interface Part {
  readonly model: ServiceModel;
  readonly value: unknown;
  /** Names and indices, with dots between them. */
  readonly at: string;
  /** A name that an object has beside its fields. */
  readonly discriminator?: string;
}

/** Reports each member of the params that the spec does not know, in a line with the name that may be meant. */
export function unknownMembers(
  model: ServiceModel,
  { payload }: MethodModel,
  params: unknown,
): readonly string[] {
  return fewest(
    payloadShapes(payload).map((form) =>
      Array.isArray(params)
        ? params.flatMap((value, index) =>
            inShape(form.fields[index]?.shape, { model, value, at: `${index}` }),
          )
        : inObject(form, { model, value: params, at: "" }),
    ),
  );
}

function inShape(shape: Shape | undefined, part: Part): readonly string[] {
  const { model, value } = part;
  switch (shape?.kind) {
    case "ref":
      return inShape(typeOf(model, shape).shape, part);
    case "nullable":
      return inShape(shape.shape, part);
    case "object":
      return inObject(shape, part);
    case "array":
      return itemsOf(value).flatMap((item, index) => inShape(shape.items, below(part, index, item)));
    case "tuple":
      return itemsOf(value).flatMap((item, index) => inShape(shape.items[index], below(part, index, item)));
    case "map":
      return membersOf(value).flatMap(([name, item]) => inShape(shape.values, below(part, name, item)));
    case "union":
      return fewest(shape.alternatives.map((each) => inShape(each, part)));
    case "tagged": {
      const { discriminator, cases } = shape;
      const tag = new Map(membersOf(value)).get(discriminator);
      return inShape(cases.find((each) => each.tag === tag)?.shape, { ...part, discriminator });
    }
    default:
      return [];
  }
}

function inObject({ fields }: ObjectTypeShape, part: Part): readonly string[] {
  const { model, value, discriminator } = part;
  const keyOf = (name: string): string => (protocolOf(model).ignoresCase ? name.toLowerCase() : name);
  const byName = new Map(
    fields.flatMap((field) =>
      [field.name, ...field.spellings].map((name) => [keyOf(name), field.shape] as const),
    ),
  );
  return membersOf(value).flatMap(([name, item]) => {
    const shape = byName.get(keyOf(name));
    const inside = below(part, name, item);
    if (shape !== undefined) return inShape(shape, inside);
    if (name === discriminator) return [];
    const known = [discriminator ?? [], fields.map((field) => field.name)].flat();
    return [`the spec knows no ${inside.at}: ${hintFor(name, known)}`];
  });
}

/** Of several shapes, the unknown members of the one that fits best. */
function fewest(found: readonly (readonly string[])[]): readonly string[] {
  return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function below({ model, at }: Part, name: string | number, value: unknown): Part {
  return { model, value, at: at === "" ? `${name}` : `${at}.${name}` };
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
