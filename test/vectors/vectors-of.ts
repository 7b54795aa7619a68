import type { MethodModel, ServiceModel, Shape } from "../../generator/model/service-model.ts";
import { interfaceNames } from "../../generator/print/interface-names.ts";
import { validatorName } from "../../generator/print/validator-places.ts";
import { accepts, acceptsPayload } from "../../conformance/values/index.ts";
import { instanceOf, mutationsOf, type SampleReading as Reading } from "../../conformance/samples/index.ts";

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
  /** Its module below `validators/`, without extension, and its name there: `payloads/validateGetAccountPayload`. */
  readonly validator: string;
  readonly tests: readonly Vector[];
}

/** One payload, result or event: where its schemas are, and what the model says of a value. */
export interface Subject extends Omit<VectorGroup, "tests"> {
  /** Whether a JSON value fits. */
  judge(data: unknown): boolean;
  /** Values worth judging. */
  readonly candidates: readonly Candidate[];
}

/**
 * Values that every validator of an interface must judge alike, made from the spec. Each payload, result and event
 * comes with its smallest and largest value, examples, enum values, and values on both sides of each rule. Pure: the
 * same model gives the same vectors in the same order.
 */
export function vectorsOf(
  model: ServiceModel,
  {
    /** Of how many values each group is made, before equal ones are left out: evenly chosen from all. */
    most = Number.POSITIVE_INFINITY,
    /** How many groups: evenly chosen from all. */
    groups = Number.POSITIVE_INFINITY,
  } = {},
): readonly VectorGroup[] {
  return someOf(subjectsOf(model), groups).map(({ description, schema, validator, candidates, judge }) => ({
    description,
    schema,
    validator,
    tests: different(evenly(candidates, most)).map((candidate) => ({
      ...candidate,
      valid: judge(candidate.data),
    })),
  }));
}

/** At most so many items, from the whole list. */
export function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, index) => index % step === 0);
}

/** At most so many, in steps that are odd: payloads and results alternate. */
function someOf(subjects: readonly Subject[], most: number): readonly Subject[] {
  const step = Math.ceil(subjects.length / most);
  const odd = Math.max(1, step % 2 === 0 ? step + 1 : step);
  return subjects.filter((_, at) => at % odd === 0);
}

/** Made once for a model, and the values of each when they are asked for: there are thousands. */
export function subjectsOf(model: ServiceModel): readonly Subject[] {
  const known = subjectsOfModels.get(model) ?? newSubjects(model);
  subjectsOfModels.set(model, known);
  return known;
}

const subjectsOfModels = new WeakMap<ServiceModel, readonly Subject[]>();

function newSubjects(model: ServiceModel): readonly Subject[] {
  const names = interfaceNames(model);
  return [
    ...model.methods.flatMap((method) => [
      subjectOf(
        `payload of ${method.name}`,
        names.of(method).payload,
        "payloads",
        payloadSubject(method, model),
      ),
      subjectOf(`result of ${method.name}`, names.of(method).result, "results", resultSubject(method, model)),
    ]),
    ...model.events.map((event) =>
      subjectOf(
        `payload of event ${event.name}`,
        names.ofEvent(event),
        "events",
        shapeSubject(event.payload, model, []),
      ),
    ),
  ];
}

interface Judged extends Pick<Subject, "judge"> {
  readonly candidates: () => readonly Candidate[];
}

function subjectOf(
  description: string,
  schema: string,
  folder: string,
  { judge, candidates: made }: Judged,
): Subject {
  let known: readonly Candidate[] | undefined;
  return {
    description,
    schema,
    validator: `${folder}/${validatorName(schema)}`,
    judge,
    get candidates() {
      return (known ??= made());
    },
  };
}

function payloadSubject(method: MethodModel, model: ServiceModel): Judged {
  const reading = readingOf(model, "request");
  const { payload } = method;
  const shapes = payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
  const examples = method.examples.map(({ name, payload: data }) => ({
    description: `example: ${name}`,
    data,
  }));
  return {
    judge: (data) => acceptsPayload(payload, data, reading),
    candidates: () => [...examples, ...shapes.flatMap((shape) => candidates(shape, reading))],
  };
}

function resultSubject(method: MethodModel, model: ServiceModel): Judged {
  const examples = method.examples.flatMap(({ name, result: data }) =>
    data === undefined ? [] : [{ description: `example: ${name}`, data }],
  );
  return shapeSubject(method.result, model, examples);
}

function shapeSubject(shape: Shape, model: ServiceModel, examples: readonly Candidate[]): Judged {
  const reading = readingOf(model, "response");
  return {
    judge: (data) => accepts(shape, data, reading),
    candidates: () => [...examples, ...candidates(shape, reading)],
  };
}

type Candidate = Omit<Vector, "valid">;

function candidates(shape: Shape, reading: Reading): readonly Candidate[] {
  const minimal = instanceOf(shape, "minimal", reading);
  const maximal = instanceOf(shape, "maximal", reading);
  return [
    { description: "minimal", data: minimal },
    { description: "maximal", data: maximal },
    ...mutationsOf(shape, maximal, reading).map(({ description, data }) => ({ description, data })),
  ];
}

/** All but the changes that give a value which is there already. */
function different(candidates: readonly Candidate[]): readonly Candidate[] {
  const texts = new Set<string>();
  return candidates.filter(({ description, data }) => {
    const text = textOf(data);
    const isNew = !texts.has(text);
    texts.add(text);
    return isNew || /^(?:minimal|maximal|example: .*)$/u.test(description);
  });
}

function textOf(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) => (Object.is(value, -0) ? "\u0000-0" : value));
}

function readingOf(model: ServiceModel, direction: Reading["direction"]): Reading {
  const shapes = new Map(model.types.map(({ name, shape }) => [name, shape]));
  const resolve = (shape: Shape) => {
    let at: Shape | undefined = shape;
    while (at?.kind === "ref") at = shapes.get(at.type);
    if (at === undefined) throw new Error("a shape refers to a type that the model does not have");
    return at;
  };
  return { direction, resolve };
}
