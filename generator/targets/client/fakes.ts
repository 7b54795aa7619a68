import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { braces, bracketed, type Printable } from "../../print/layout.ts";
import { jsonLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { copiedModules } from "./copied-modules.ts";

/** The part of a fake service that depends on its protocol. */
export interface FakeSource {
  readonly name: string;
  /** The map of the methods' types, in `client.ts`. */
  readonly methods: string;
  /** Type arguments: of the client's options, of ids, and of what names an error. */
  readonly types: readonly Printable[];
  /** Where `templates/client` has `playing.ts` of the protocol. */
  readonly playing: string;
  readonly examples: object;
  /** Further members of the class, and statements of its constructor. */
  readonly members?: readonly Printable[];
  readonly made?: readonly Printable[];
  /** Further declarations of `examples.ts`. */
  readonly samples?: readonly Printable[];
}

/** `testing.ts`, and the modules that it needs. */
export function fakeModules(
  model: ServiceModel,
  folder: string,
  source: FakeSource,
): Readonly<Record<string, string>> {
  return {
    "examples.ts": examplesModule(model, folder, source),
    ...copiedModules(["fake-service.ts", source.playing], model),
    "testing.ts": testingModule(model, folder, source),
  };
}

function testingModule(
  model: ServiceModel,
  folder: string,
  { name, methods, types, members = [], made = [] }: FakeSource,
): string {
  const doc =
    "The service in tests: give a client its `options`. It answers from the examples of the interface, keeps no state and checks neither payloads nor credentials; `answer` and `refuse` say what else it answers.";
  const playing = importedValue("playing", `${folder}/playing.ts`);
  const examples = importedValue("examples", `${folder}/examples.ts`);
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
          ...members,
          ["constructor() ", braces([["super(", playing, "(", examples, "));"], ...made])],
        ]),
      ],
    ],
  });
}

/** `examples.ts`: what the fake service answers from. */
function examplesModule(model: ServiceModel, folder: string, { examples, samples = [] }: FakeSource): string {
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
      ...samples,
    ],
  });
}
