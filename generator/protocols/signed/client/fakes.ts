import type { ServiceModel, MethodModel, Shape } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { ClientNames } from "./names.ts";
import { omitUndefined } from "../../../../conformance/omit-undefined.ts";
import { methodsAsTried, resolve } from "../../../model/index.ts";
import { jsonLiteral } from "../../../print/literals.ts";

/** `testing.ts`: the fake service, typed by the interface's methods and with a client of its own. */
export function testingModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const service = importedValue("FakeService", `${folder}/fake-service.ts`);
  const client = importedValue(names.client, `${folder}/client.ts`);
  const samples = importedValue("samples", `${folder}/examples.ts`, "exampleSamples");
  const doc =
    "The service in tests: give a client its `options`, or take its `client`. It answers from the examples of the interface, keeps no state, checks no payload and verifies no signature; `answer` and `refuse` say what else it answers.";
  const members: readonly Printable[] = [
    ["readonly client: ", client, ";"],
    [
      docComment({ doc: "Identifiers in the examples." }),
      "readonly samples: typeof ",
      samples,
      " = ",
      samples,
      ";",
    ],
    "",
    [
      "constructor() ",
      braces([
        ["super(", importedValue("examples", `${folder}/examples.ts`), ");"],
        ["this.client = new ", client, "(this.options);"],
      ]),
    ],
  ];
  const heading = [
    `export class ${names.fake} extends `,
    [service, "<", importedType(names.methods, `${folder}/client.ts`), "> "],
  ];
  return printModule({
    path: `${folder}/testing.ts`,
    preamble: preamble(model),
    declares: [names.fake],
    body: [
      'export type { FakeCall } from "./fake-service.ts";',
      [docComment({ doc }), ...heading, braces(members)],
    ],
  });
}

/** `examples.ts`: what the fake service answers from, and what identifies the things that examples are about. */
export function examplesModule(model: ServiceModel, folder: string): string {
  const type = importedType("Examples", `${folder}/fake-service.ts`);
  const errors = model.errors.map(({ code, message, rpcCode, wireCode }) => [
    code,
    omitUndefined({ message, rpcCode, wireCode }),
  ]);
  const examples = { methods: methodsAsTried(model).map(methodExamples), errors: Object.fromEntries(errors) };
  return printModule({
    path: `${folder}/examples.ts`,
    preamble: preamble(model),
    declares: ["examples", "samples"],
    body: [
      [
        docComment({ doc: "The examples of the interface." }),
        ["export const examples: ", type, " = ", jsonLiteral(examples), ";"],
      ],
      [
        docComment({ doc: "Identifiers in the examples." }),
        ["export const samples = ", jsonLiteral(Object.fromEntries(samplesOf(model))), " as const;"],
      ],
    ],
  });
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
