import { resultObject } from "../../model/index.ts";
import type { MethodEntry, ResourceEntry, SpecReference, Suite } from "../../../conformance/suite/suite.ts";
import type { FieldShape, ObjectShape, Shape as PlainShape } from "../../../conformance/values/index.ts";
import type {
  Documented,
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  PayloadModel,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { basesOf } from "./bases.ts";
import { probeOf } from "./probe.ts";
import { scenariosOf } from "./scenarios.ts";
import { stepsOf } from "./steps.ts";

/** The model without what only people and code generators need. */
export function suiteOf(model: ServiceModel): Suite {
  const methods = model.methods.map((method) => methodEntry(method, model));
  const suite: Omit<Suite, "scenarios"> = {
    format: 2,
    name: model.name,
    title: model.title,
    revision: model.revision,
    path: model.path,
    probe: probeOf(model)?.name ?? "",
    auth: model.auth.map(({ name, missing }) => ({ name, missing })),
    faults: model.faults,
    errors: model.errors.map((error) => ({
      ...statedOf(error),
      code: error.code,
      message: error.message,
      httpStatus: error.httpStatus,
      rpcCode: error.rpcCode,
      everyMethod: error.everyMethod,
    })),
    types: Object.fromEntries(model.types.map(({ name, shape }) => [name, plainShape(shape)])),
    methods,
    events: model.events.map((event) => ({
      ...statedOf(event),
      name: event.name,
      payload: plainShape(event.payload),
    })),
    resources: model.resources.map((resource) => ({
      name: resource.name,
      ...(resource.absent === undefined ? {} : { absent: resource.absent }),
      samples: resource.samples.map(({ name }) => name),
      ...(resource.made === undefined
        ? {}
        : { made: { steps: stepsOf(resource.made.steps), gives: resource.made.gives } }),
      ...creation(
        resource.samples.map(({ name }) => name),
        methods,
      ),
    })),
    rules: Object.fromEntries(model.rules.map((rule) => [rule.id, { ...statedOf(rule), doc: rule.doc }])),
    states: model.states.map((machine) => ({
      ...statedOf(machine),
      name: machine.name,
      type: machine.type,
      transitions: machine.transitions.map(({ from, to, by }) => ({
        from,
        to,
        ...(by === undefined ? {} : { by }),
      })),
    })),
    requirements: model.requirements.map((requirement) => ({
      ...statedOf(requirement),
      id: requirement.id,
      sentence: requirement.doc,
      cases: requirement.cases,
      ...(requirement.untested === undefined ? {} : { untested: requirement.untested }),
    })),
  };
  return { ...suite, scenarios: scenariosOf(model, suite) };
}

export function statedOf({ section, decisions }: Pick<Documented, "section" | "decisions">): SpecReference {
  return { ...(section === undefined ? {} : { section }), decisions };
}

function methodEntry(method: MethodModel, model: ServiceModel): MethodEntry {
  const { transport } = method;
  if (transport.kind === "json-rpc") throw new Error(`${method.name} does not travel in the signed envelope`);
  return {
    ...statedOf(method),
    name: method.name,
    effect: method.effect,
    transport,
    payload: plainPayload(method.payload),
    result: plainObject(resultObject(method)),
    errors: method.errors.map(({ code, message, section }) => ({
      ...statedOf({ decisions: [], ...(section === undefined ? {} : { section }) }),
      code,
      message,
    })),
    ...(method.paging === undefined ? {} : { paging: method.paging }),
    bases: basesOf(method, model),
  };
}

function plainPayload(payload: PayloadModel): MethodEntry["payload"] {
  if (payload.kind === "single") return { kind: "single", shape: plainObject(payload.shape) };
  const forms = payload.forms.map(({ name, shape }) => ({ name, shape: plainObject(shape) }));
  return { kind: "forms", selectedBy: payload.selectedBy, forms };
}

function plainShape(shape: Shape): PlainShape {
  switch (shape.kind) {
    case "object":
      return plainObject(shape);
    case "array":
      return { ...shape, items: plainShape(shape.items) };
    case "enum":
      return { kind: "enum", values: shape.values.map(({ value }) => ({ value })) };
    case "nullable":
      return { kind: "nullable", shape: plainShape(shape.shape) };
    case "map":
      return {
        kind: "map",
        values: plainShape(shape.values),
        ...(shape.keys === undefined ? {} : { keys: plainShape(shape.keys) }),
      };
    case "tuple":
      return { kind: "tuple", items: shape.items.map(plainShape) };
    case "union":
      return { ...shape, alternatives: shape.alternatives.map(plainShape) };
    default:
      return shape;
  }
}

function plainObject(shape: ObjectTypeShape): ObjectShape {
  return { ...shape, fields: shape.fields.map(plainField) };
}

function plainField(field: FieldModel): FieldShape {
  const { name, presence, spellings, alsoSentAs, identifies, refersTo, sensitive, example } = field;
  return {
    name,
    shape: plainShape(field.shape),
    presence,
    spellings,
    ...statedOf(field),
    ...(alsoSentAs === undefined ? {} : { alsoSentAs }),
    ...(identifies === undefined ? {} : { identifies }),
    ...(refersTo === undefined ? {} : { refersTo }),
    ...(sensitive ? { sensitive } : {}),
    ...(example === undefined ? {} : { exemplary: true }),
  };
}

/** The first `create` that makes such an object: the one that the first identifying field of its result names. */
function creation(
  samples: readonly string[],
  methods: readonly MethodEntry[],
): Pick<ResourceEntry, "created"> {
  for (const method of methods) {
    if (method.effect !== "create") continue;
    const made = method.result.fields.find(({ identifies }) => identifies !== undefined)?.identifies;
    if (made === undefined || !samples.includes(made)) continue;
    const gives = method.result.fields.flatMap(({ name, identifies }) =>
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
