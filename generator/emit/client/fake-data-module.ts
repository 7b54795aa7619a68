import type {
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { flatLiteral } from "../../print/literals.ts";
import { importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { resolved } from "./resolve-shape.ts";

/** `fake-data.ts`: what a fake service knows of the interface, and what identifies the things it starts with. */
export function fakeDataModule(model: ServiceModel, folder: string): string {
  const type = importedType("Description", `${folder}/fake-description.ts`);
  return printModule({
    path: `${folder}/fake-data.ts`,
    preamble: preamble(model),
    declares: ["description", "samples"],
    body: [
      ["export const description: ", type, " = ", flatLiteral(description(model)), ";"],
      [
        docComment({ doc: "Identifiers of things that are there from the start." }),
        "export const samples = ",
        flatLiteral(Object.fromEntries(samplesOf(model))),
        " as const;",
      ],
    ],
  });
}

function description(model: ServiceModel) {
  const { badInput = "", conflict = "", unauthorized = "" } = model.faults;
  return {
    methods: model.methods.map((method) => methodDescription(method, model)),
    types: model.types.map(({ name, shape }) => [name, shapeDescription(shape)]),
    resources: model.resources.map(({ name, absent, samples }) => ({
      name,
      ...(absent !== undefined && { absent }),
      samples: samples.map((sample) => sample.name),
    })),
    errors: Object.fromEntries(
      model.errors.map(({ code, message, rpcCode }) => [code, { message, rpcCode }]),
    ),
    states: model.states.flatMap(({ type, transitions }) =>
      transitions.map(({ from, to, by }) => ({ type, from, to, ...(by !== undefined && { by }) })),
    ),
    events: Object.fromEntries(model.events.map(({ name, payload }) => [name, shapeDescription(payload)])),
    faults: { badInput, conflict, unauthorized },
  };
}

function methodDescription(method: MethodModel, model: ServiceModel) {
  const { name, effect, transport, payload, result, emits, paging, examples } = method;
  const shapes = payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload.shape];
  const everywhere = model.errors.filter(({ everyMethod }) => everyMethod);
  const errors = [...everywhere, ...method.errors].map(({ code, message }) => [code, message]);
  return {
    name,
    effect,
    ...(transport.kind === "flat" && { selectedBy: transport.selectedBy }),
    payloads: shapes.map(shapeDescription),
    result: shapeDescription(result),
    errors: Object.fromEntries(errors),
    emits,
    ...(paging !== undefined && { paging: { ...paging } }),
    examples: examples.map((example) => ({
      payload: example.payload,
      ...(example.result !== undefined && { result: example.result }),
      ...(example.error !== undefined && { error: example.error }),
    })),
  };
}

function shapeDescription(shape: Shape): object {
  switch (shape.kind) {
    case "ref":
      return { kind: "ref", type: shape.type };
    case "enum":
      return { kind: "enum", values: shape.values.map(({ value }) => value) };
    case "array":
      return { ...limitsOf(shape), kind: "array", items: shapeDescription(shape.items) };
    case "object":
      return objectDescription(shape);
    default: {
      const format = shape.kind === "string" ? shape.format : undefined;
      return {
        ...limitsOf(shape),
        kind: shape.kind === "money" ? "number" : shape.kind,
        ...(shape.const !== undefined && { const: shape.const }),
        ...(format !== undefined && { format }),
      };
    }
  }
}

/** What a value may be, where the shape says so. */
function limitsOf(shape: Shape): object {
  const named = new Set(["lengthMin", "lengthMax", "pattern", "minimum", "maximum", "itemsMin", "itemsMax"]);
  return Object.fromEntries(Object.entries(shape).filter(([name]) => named.has(name)));
}

function objectDescription({ fields, atLeastOneOf, exactlyOneOf }: ObjectTypeShape): object {
  return {
    kind: "object",
    fields: fields.map(fieldDescription),
    ...(atLeastOneOf.length > 0 && { atLeastOneOf }),
    ...(exactlyOneOf.length > 0 && { exactlyOneOf }),
  };
}

function fieldDescription(field: FieldModel): object {
  const { name, presence, spellings, alsoSentAs, identifies, refersTo } = field;
  return {
    name,
    shape: shapeDescription(field.shape),
    ...(presence.kind === "optional" && { optional: true }),
    ...(presence.kind === "required-when" && {
      requiredWhen: { field: presence.field, is: presence.values },
    }),
    ...(spellings.length > 0 && { spellings }),
    ...(alsoSentAs !== undefined && { alsoSentAs }),
    ...(identifies !== undefined && { identifies }),
    ...(refersTo !== undefined && { refersTo }),
  };
}

/** The first value that an example has for each sample, in an answer if any has one there. */
function samplesOf(model: ServiceModel): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, shape: Shape): void => {
    const known = resolved(shape, model);
    if (known.kind === "array" && Array.isArray(value)) for (const item of value) visit(item, known.items);
    if (known.kind !== "object" || typeof value !== "object" || value === null) return;
    const members = new Map<string, unknown>(Object.entries(value));
    for (const field of known.fields) {
      const member = members.get(field.name);
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined && typeof member === "string" && !found.has(sample)) found.set(sample, member);
      visit(member, field.shape);
    }
  };
  for (const { result, examples } of model.methods) {
    for (const example of examples) visit(example.result, result);
  }
  for (const { payload, examples } of model.methods) {
    const shapes = payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload.shape];
    for (const example of examples) {
      if (example.error !== undefined) continue;
      const names = Object.keys(Object(example.payload));
      const fitting = shapes.filter(({ fields }) =>
        names.every((name) => fields.some((field) => field.name === name)),
      );
      for (const shape of fitting) visit(example.payload, shape);
    }
  }
  const wanted = new Set(model.resources.flatMap(({ samples }) => samples.map(({ name }) => name)));
  return new Map([...found].filter(([name]) => wanted.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
