import type { MethodModel, ServiceModel, Shape } from "../../generator/model/service-model.ts";
import { interfaceNames } from "../../generator/print/interface-names.ts";
import { methodPath } from "../../generator/print/method-path.ts";
import { accepts, acceptsPayload, type Reading } from "./accepts.ts";
import { instanceOf } from "./instances.ts";
import { mutationsOf } from "./mutations.ts";

/** One value and whether it fits, in the manner of the JSON Schema Test Suite. */
export interface Vector {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

/** The vectors of one payload, result or event. */
export interface VectorGroup {
  readonly description: string;
  /** Its name in `schemas.ts`, `types.ts` and `json-schema.json`. */
  readonly schema: string;
  /** Its module below `validators/`, without extension. */
  readonly validator: string;
  readonly tests: readonly Vector[];
}

/**
 * Values that every validator of an interface must judge alike, made from the spec: for each payload, result and
 * event the least and the most that fits, every example and every enum value, and for each rule values on both
 * sides of it. Pure: the same model gives the same vectors in the same order.
 */
export function vectorsOf(model: ServiceModel): readonly VectorGroup[] {
  const names = interfaceNames(model);
  return [
    ...model.methods.flatMap((method) => {
      const path = methodPath(method, model);
      return [
        {
          description: `payload of ${method.name}`,
          schema: names.of(method).payload,
          validator: `${path}.payload`,
          tests: payloadVectors(method, model),
        },
        {
          description: `result of ${method.name}`,
          schema: names.of(method).result,
          validator: `${path}.result`,
          tests: resultVectors(method, model),
        },
      ];
    }),
    ...model.events.map((event) => ({
      description: `payload of event ${event.name}`,
      schema: names.ofEvent(event),
      validator: `events/${event.names.file}`,
      tests: shapeVectors(event.payload, readingOf(model, "response"), []),
    })),
  ];
}

function payloadVectors(method: MethodModel, model: ServiceModel): readonly Vector[] {
  const reading = readingOf(model, "request");
  const { payload } = method;
  const shapes = payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
  const examples = method.examples.map(({ name, payload: data }) => ({
    description: `example: ${name}`,
    data,
  }));
  return judged([...shapes.flatMap((shape) => candidates(shape, reading)), ...examples], (data) =>
    acceptsPayload(payload, data, reading),
  );
}

function resultVectors(method: MethodModel, model: ServiceModel): readonly Vector[] {
  const examples = method.examples.flatMap(({ name, result: data }) =>
    data === undefined ? [] : [{ description: `example: ${name}`, data }],
  );
  return shapeVectors(method.result, readingOf(model, "response"), examples);
}

function shapeVectors(shape: Shape, reading: Reading, examples: readonly Candidate[]): readonly Vector[] {
  return judged([...examples, ...candidates(shape, reading)], (data) => accepts(shape, data, reading));
}

type Candidate = Omit<Vector, "valid">;

function candidates(shape: Shape, reading: Reading): readonly Candidate[] {
  const minimal = instanceOf(shape, "minimal", reading);
  const maximal = instanceOf(shape, "maximal", reading);
  return [
    { description: "minimal", data: minimal },
    { description: "maximal", data: maximal },
    ...mutationsOf(shape, maximal, reading),
  ];
}

/** Each different value once, with its verdict. */
function judged(candidates: readonly Candidate[], judge: (data: unknown) => boolean): readonly Vector[] {
  const byText = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const text = textOf(candidate.data);
    if (!byText.has(text)) byText.set(text, candidate);
  }
  return [...byText.values()].map((candidate) => ({ ...candidate, valid: judge(candidate.data) }));
}

function textOf(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => (Object.is(value, -0) ? "\u0000-0" : value));
}

function readingOf(model: ServiceModel, direction: Reading["direction"]): Reading {
  const shapes = new Map(model.types.map(({ name, shape }) => [name, shape]));
  const resolve: Reading["resolve"] = (shape) => {
    let at: Shape | undefined = shape;
    while (at?.kind === "ref") at = shapes.get(at.type);
    if (at === undefined) throw new Error("a shape refers to a type that the model does not have");
    return at;
  };
  return { direction, resolve };
}
