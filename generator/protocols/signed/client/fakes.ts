import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { methodsAsTried, resolve } from "../../../model/index.ts";
import type { MethodModel, ServiceModel, Shape } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { jsonLiteral } from "../../../print/literals.ts";
import { importedType, importedValue } from "../../../print/module.ts";
import type { FakeSource } from "../../../targets/client/fakes.ts";
import type { ClientNames } from "./names.ts";

/** The fake service of a signed interface, with a client of its own. */
export function fakeSource(model: ServiceModel, names: ClientNames, folder: string): FakeSource {
  const client = importedValue(names.client, `${folder}/client.ts`);
  const samples = importedValue("samples", `${folder}/examples.ts`, "exampleSamples");
  const comment = docComment({ doc: "Identifiers in the examples." });
  const errors = model.errors.map(({ code, message, rpcCode, wireCode }) => [
    code,
    omitUndefined({ message, rpcCode, wireCode }),
  ]);
  return {
    name: names.fake,
    methods: names.methods,
    types: [
      importedType("ClientOptions", `${folder}/guard.ts`),
      "string",
      importedType("ErrorCode", `${folder}/interface.ts`),
    ],
    playing: "signed-envelope/playing.ts",
    examples: { methods: methodsAsTried(model).map(methodExamples), errors: Object.fromEntries(errors) },
    members: [
      ["readonly client: ", client, ";"],
      [comment, "readonly samples: typeof ", samples, " = ", samples, ";"],
      "",
    ],
    made: [["this.client = new ", client, "(this.options);"]],
    samples: [
      [comment, ["export const samples = ", jsonLiteral(Object.fromEntries(samplesOf(model))), " as const;"]],
    ],
  };
}

function methodExamples({ name, effect, path, transport, examples }: MethodModel) {
  return omitUndefined({
    name,
    path,
    creates: effect === "create" ? true : undefined,
    ...(transport.kind === "flat" &&
      omitUndefined({ selectedBy: transport.selectedBy, only: transport.only })),
    examples: examples.map(({ payload, result, error }) => omitUndefined({ payload, result, error })),
  });
}

/** The first value that an example has for each sample, in an answer if any has one there. */
function samplesOf(model: ServiceModel): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, shape: Shape): void => {
    const known = resolve(model, shape);
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
