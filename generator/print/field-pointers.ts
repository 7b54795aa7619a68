import { payloadShapes, typeOf } from "../model/resolve.ts";
import type { PayloadModel, ServiceModel, Shape } from "../model/service-model.ts";
import { stringLiteral } from "./literals.ts";

const depthMax = 8;
const pointersMax = 200;

/** A place in a payload. */
interface Place {
  /** Names of a JSON Pointer (RFC 6901); the index of an item is undefined. */
  readonly segments: readonly (string | undefined)[];
  readonly shape: Shape;
  /** The named types that it lies in. */
  readonly within: readonly string[];
}

/**
 * The JSON Pointers (RFC 6901) to the fields of a payload, as the members of a TypeScript union; the index of an item
 * is `${number}`. A payload of several forms has the fields of all. Below a type that lies in itself, below 8 levels,
 * and where there would be more than 200 pointers, every pointer is legal: `${string}`.
 */
export function fieldPointers(payload: PayloadModel, model: ServiceModel): readonly string[] {
  const shapes = payloadShapes(payload);
  const found = new Set<string>();
  let level: readonly Place[] = shapes.map((shape) => ({ segments: [], shape, within: [] }));
  for (let depth = 0; level.length > 0; depth += 1) {
    const expanded = level.map((place) => ({ place, parts: partsOf(place, model) }));
    const next = expanded.flatMap(({ parts }) => parts ?? []);
    const isTooMuch = depth >= depthMax || (depth > 0 && found.size + next.length > pointersMax);
    for (const { place, parts } of expanded)
      if (parts === undefined || (isTooMuch && parts.length > 0)) found.add(openPointer(place));
    if (isTooMuch) break;
    for (const place of next) found.add(pointer(place));
    level = next;
  }
  return [...found];
}

/** The parts of a value; undefined where its type contains itself. */
function partsOf({ segments, shape, within }: Place, model: ServiceModel): readonly Place[] | undefined {
  switch (shape.kind) {
    case "ref": {
      if (within.includes(shape.type)) return undefined;
      const named = typeOf(model, shape).shape;
      return partsOf({ segments, shape: named, within: [...within, shape.type] }, model);
    }
    case "array":
      return [{ segments: [...segments, undefined], shape: shape.items, within }];
    case "object":
      return shape.fields.map((field) => ({
        segments: [...segments, field.name],
        shape: field.shape,
        within,
      }));
    case "nullable":
      return partsOf({ segments, shape: shape.shape, within }, model);
    default:
      return [];
  }
}

function pointer({ segments }: Place): string {
  if (!segments.includes(undefined)) return stringLiteral(textOf(segments));
  return `\`${templateOf(segments)}\``;
}

function openPointer({ segments }: Place): string {
  return `\`${templateOf(segments)}/\${string}\``;
}

function textOf(segments: Place["segments"]): string {
  return segments.map((name) => `/${(name ?? "").replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The inside of a template literal type. */
function templateOf(segments: Place["segments"]): string {
  return segments
    .map((name) => (name === undefined ? "/${number}" : JSON.stringify(textOf([name])).slice(1, -1)))
    .map((text, at) =>
      segments[at] === undefined ? text : text.replaceAll(/[`$]/g, "\\$&").replaceAll('\\"', '"'),
    )
    .join("");
}
