import { omitUndefined } from "../../../../conformance/omit-undefined.ts";
import { payloadShapes } from "../../../model/resolve.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { jsonLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { StandardNames } from "./names.ts";

/** `testing.ts`: the fake service, typed by the interface's methods. */
export function standardTestingModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const service = importedValue("FakeService", `${folder}/fake-service.ts`);
  const doc =
    "The service in tests: give a client its `options`. It answers from the examples of the interface, keeps no state and checks neither payloads nor credentials; `answer` and `refuse` say what else it answers.";
  const examples = importedValue("examples", `${folder}/examples.ts`);
  const body: Printable = ["constructor() ", braces([["super(", examples, ");"]])];
  return printModule({
    path: `${folder}/testing.ts`,
    preamble: preamble(model),
    declares: [names.fake],
    body: [
      'export type { FakeCall } from "./fake-service.ts";',
      [
        docComment({ doc }),
        `export class ${names.fake} extends `,
        [service, "<", importedType(names.methods, `${folder}/client.ts`), "> "],
        braces([body]),
      ],
    ],
  });
}

/** `examples.ts`: what the fake service answers from. */
export function standardExamplesModule(model: ServiceModel, names: StandardNames, folder: string): string {
  const examples = {
    methods: model.methods.map((method) => ({
      name: method.name,
      parameters: payloadShapes(method.payload).flatMap(({ fields }) => fields.map(({ name }) => name)),
      examples: method.examples.map(({ payload, result, error }) =>
        omitUndefined({ payload, result, error }),
      ),
    })),
    errors: Object.fromEntries(names.errors.map(({ name, code, message }) => [name, { code, message }])),
  };
  const type = importedType("Examples", `${folder}/fake-service.ts`);
  return printModule({
    path: `${folder}/examples.ts`,
    preamble: preamble(model),
    declares: ["examples"],
    body: [
      [
        docComment({ doc: "The examples of the interface." }),
        "export const examples: ",
        type,
        ` = ${jsonLiteral(examples)};`,
      ],
    ],
  });
}
