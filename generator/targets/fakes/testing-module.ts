import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { braces, type Printable } from "../../print/layout.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ClientNames } from "../client/names.ts";

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
