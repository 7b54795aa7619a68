import { resolve } from "../../model/index.ts";
import { payloadShapes } from "../../model/resolve.ts";
import type { ServiceModel, Shape } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { braces, bracketed, type Printable } from "../../print/layout.ts";
import { jsonLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { type Adapted, copiedModules } from "./copied-modules.ts";

/** The part of a fake service that depends on its protocol. */
export interface FakeSource {
  readonly name: string;
  /** The map of the methods' types, in `client.ts`. */
  readonly methods: string;
  /** Type arguments: of the client's options, of ids, and of what names an error. */
  readonly types: readonly Printable[];
  /** Where `templates/client` has `playing.ts` of the protocol. */
  readonly playing: string;
  /** What the copied modules become for the interface; unchanged if absent. */
  readonly adapted?: Adapted;
  readonly examples: object;
  /** A client of the fake service: its type, and what makes it in the constructor. */
  readonly client: { readonly type: Printable; readonly made: Printable };
}

/** `testing.ts`, and the modules that it needs. */
export function fakeModules(
  model: ServiceModel,
  folder: string,
  source: FakeSource,
): Readonly<Record<string, string>> {
  const { playing, adapted = (modules) => modules } = source;
  return {
    "examples.ts": examplesModule(model, folder, source),
    ...adapted(copiedModules(["fake-service.ts", playing], model)),
    "testing.ts": testingModule(model, folder, source),
  };
}

function testingModule(
  model: ServiceModel,
  folder: string,
  { name, methods, types, client }: FakeSource,
): string {
  const doc =
    "The service in tests: give a client its `options`. It answers from the examples of the interface, keeps no state and checks neither payloads nor credentials; `answer` and `refuse` say what else it answers.";
  const playing = importedValue("playing", `${folder}/playing.ts`);
  const examples = importedValue("examples", `${folder}/examples.ts`);
  const samples = importedValue("samples", `${folder}/examples.ts`, "exampleSamples");
  const given = bracketed("<", ">", [importedType(methods, `${folder}/client.ts`), ...types]);
  return printModule({
    path: `${folder}/testing.ts`,
    preamble: preamble(model),
    declares: [name],
    body: [
      'export type { FakeCall } from "./playing.ts";',
      [
        docComment({ doc }),
        [
          `export class ${name} extends `,
          importedValue("FakeService", `${folder}/fake-service.ts`),
          given,
          " ",
        ],
        braces([
          ["readonly client: ", client.type, ";"],
          [docComment({ doc: samplesDoc }), "readonly samples: typeof ", samples, " = ", samples, ";"],
          "",
          [
            "constructor() ",
            braces([
              ["super(", playing, "(", examples, "));"],
              ["this.client = ", client.made, ";"],
            ]),
          ],
        ]),
      ],
    ],
  });
}

const samplesDoc = "Identifiers in the examples.";

/** `examples.ts`: what the fake service answers from. */
function examplesModule(model: ServiceModel, folder: string, { examples }: FakeSource): string {
  return printModule({
    path: `${folder}/examples.ts`,
    preamble: preamble(model),
    declares: ["examples", "samples"],
    body: [
      [
        docComment({ doc: "The examples of the interface." }),
        "export const examples: ",
        importedType("Examples", `${folder}/playing.ts`),
        ` = ${jsonLiteral(examples)};`,
      ],
      [
        docComment({ doc: samplesDoc }),
        ["export const samples = ", jsonLiteral(Object.fromEntries(samplesOf(model))), " as const;"],
      ],
    ],
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
    const shapes = payloadShapes(payload);
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
