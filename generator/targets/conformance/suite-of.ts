import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import { objectOf } from "../../../conformance/suite/shape.ts";
import type {
  ErrorEntry,
  EventEntry,
  MethodEntry,
  ResourceEntry,
  Suite,
} from "../../../conformance/suite/suite.ts";
import { firstPageOf, formsOf, resolve } from "../../model/index.ts";
import type { EventModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { jsonSchemas, type JsonSchemas } from "../../print/json-schema/json-schema.ts";
import type { CasesPart } from "../../protocols/protocol.ts";
import { isHeldToEachForm, plainPayload, plainShape, statedOf } from "./plain-shape.ts";
import { scenariosOf, stepsOf } from "./scenarios.ts";
import { baseName, requestReading as readingOver } from "../../../conformance/cases/fields.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";

/** The model without what only people and code generators need. */
export function suiteOf(model: ServiceModel, part: CasesPart): Suite {
  const { errors, faults, ...wire } = part.wire(model);
  const schemas = jsonSchemas(model);
  const methods = model.methods.map((method) => methodEntry(method, model, part, schemas));
  return omitUndefined({
    format: 3,
    name: model.name,
    title: model.title,
    revision: model.revision,
    path: model.path,
    documentedPath:
      model.documentedPath === undefined || model.documentedPath === model.path
        ? undefined
        : model.documentedPath,
    probe: part.probe(model)?.name ?? "",
    ...wire,
    auth: model.auth.map(({ name, missing }) => ({ name, missing })),
    faults,
    errors,
    types: Object.fromEntries(model.types.map(({ name, shape }) => [name, plainShape(shape)])),
    methods,
    events: model.events.map(eventEntry),
    resources: model.resources.map((resource) => resourceEntry(resource, methods)),
    rules: Object.fromEntries(model.rules.map((rule) => [rule.id, { ...statedOf(rule), doc: rule.doc }])),
    states: model.states.map((machine) => ({
      ...statedOf(machine),
      name: machine.name,
      type: machine.type,
      transitions: machine.transitions.map(({ from, to, by }) => omitUndefined({ from, to, by })),
    })),
    requirements: model.requirements.map((requirement) =>
      omitUndefined({
        ...statedOf(requirement),
        id: requirement.id,
        sentence: requirement.doc,
        cases: requirement.cases,
        untested: requirement.untested,
      }),
    ),
    scenarios: scenariosOf(model),
  });
}

/** The errors that the spec declares. */
export function declaredErrors({ errors }: ServiceModel): readonly ErrorEntry[] {
  return errors.map((error): ErrorEntry =>
    omitUndefined({
      ...statedOf(error),
      code: error.code,
      message: error.message,
      httpStatus: error.httpStatus,
      rpcCode: error.rpcCode,
      wireCode: error.wireCode,
      everyMethod: error.everyMethod,
      data: error.data === undefined ? undefined : plainShape(error.data),
    }),
  );
}

function eventEntry(event: EventModel): EventEntry {
  const { name, payload, payloadName, members } = event;
  const own = members && omitUndefined({ ...members, shape: plainShape(members.shape) });
  return omitUndefined({ ...statedOf(event), name, payload: plainShape(payload), payloadName, members: own });
}

function resourceEntry(
  { name, absent, samples, made, kept, removed }: ServiceModel["resources"][number],
  methods: readonly MethodEntry[],
): ResourceEntry {
  const names = samples.map((sample) => sample.name);
  return omitUndefined({
    name,
    absent,
    samples: names,
    made: made === undefined ? undefined : { steps: stepsOf(made.steps), gives: made.gives },
    kept: kept === undefined ? undefined : { before: stepsOf(kept.before), after: stepsOf(kept.after) },
    removed:
      removed &&
      Object.fromEntries(Object.entries(removed).map(([operation, steps]) => [operation, stepsOf(steps)])),
    ...creation(names, methods),
  });
}

function methodEntry(
  method: MethodModel,
  model: ServiceModel,
  part: CasesPart,
  schemas: JsonSchemas,
): MethodEntry {
  const examples = successfulPayloads(method);
  return omitUndefined({
    ...statedOf(method),
    name: method.name,
    effect: method.effect,
    path: method.path,
    transport: part.transport(method),
    payload: plainPayload(method.payload, isHeldToEachForm(method, schemas)),
    result: plainShape(method.result),
    errors: method.errors.map(({ code, message, section }) => ({
      ...statedOf(omitUndefined({ decisions: [], section })),
      code,
      message,
    })),
    paging: pagingEntry(method, model),
    bases: basesOf(method, model),
    examples: examples.length === 0 ? undefined : examples,
  });
}

/** Explorations turn pages by their number. */
function pagingEntry(method: MethodModel, model: ServiceModel): MethodEntry["paging"] {
  const { paging } = method;
  if (paging?.page === undefined) return undefined;
  const first = firstPageOf(method, model);
  return omitUndefined({ ...paging, first: first === 1 ? undefined : first });
}

/** The first `create` that makes such an object: the one that the first identifying field of its result names. */
function creation(
  samples: readonly string[],
  methods: readonly MethodEntry[],
): Pick<ResourceEntry, "created"> {
  for (const method of methods) {
    if (method.effect !== "create") continue;
    const made = objectOf(method.result).fields.find(
      ({ identifies }) => identifies !== undefined,
    )?.identifies;
    if (made === undefined || !samples.includes(made)) continue;
    const gives = objectOf(method.result).fields.flatMap(({ name, identifies }) =>
      identifies !== undefined && samples.includes(identifies) ? [[identifies, `/${name}`] as const] : [],
    );
    const base = Object.keys(method.bases).find((name) => name.endsWith("minimal"));
    // Its own payload needs no such object, or there would be no first one.
    const isFirst = !samples.some((sample) =>
      JSON.stringify(method.bases[base ?? ""]).includes(`{{${sample}}}`),
    );
    if (base !== undefined && isFirst) {
      return { created: { method: method.name, base, gives: Object.fromEntries(gives) } };
    }
  }
  return {};
}

/** Payloads to start from: for each form the least and the most that it takes. */
function basesOf(method: MethodModel, model: ServiceModel): Readonly<Record<string, unknown>> {
  const reading = requestReading(method, model);
  return Object.fromEntries(
    formsOf(method.payload).flatMap(({ name, shape }) =>
      (["minimal", "maximal"] as const).map((fullness) => [
        baseName(name, fullness),
        instanceOf(shape, fullness, reading),
      ]),
    ),
  );
}

/** Reads requests of a method, and makes values for them. */
export function requestReading(method: MethodModel, model: ServiceModel): SampleReading {
  return readingOver(successfulPayloads(method), { resolve: (shape: Shape) => resolve(model, shape) });
}

/** The payloads of a method's successful examples. */
function successfulPayloads({ examples }: MethodModel): readonly unknown[] {
  return examples.filter(({ result }) => result !== undefined).map(({ payload }) => payload);
}
