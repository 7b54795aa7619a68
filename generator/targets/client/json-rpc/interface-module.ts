import type { JsonRpcWireModel, ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import type { Printable } from "../../../print/layout.ts";
import { arrayLiteral, stringLiteral } from "../../../print/literals.ts";
import { printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import { packageName } from "../readme.ts";

/** `interface.ts`: what the fixed modules read of the interface. `templates/client/json-rpc/interface.ts` stands in for it. */
export function interfaceModule(model: ServiceModel, wire: JsonRpcWireModel, folder: string): string {
  const { rateLimited, unavailable } = wire.faults;
  const temporary = [...new Set([rateLimited.code, unavailable.code])];
  const constants: readonly (readonly [doc: string, name: string, value: Printable])[] = [
    ["The `name` of errors that the service answers with.", "errorName", stringLiteral("ServiceError")],
    [
      "Name of the member that marks the errors of this package.",
      "errorMark",
      stringLiteral(packageName(model)),
    ],
    [
      "The code that asks the caller to come again later: nothing has been done.",
      "rateLimitedCode: number",
      String(rateLimited.code),
    ],
    [
      "Codes after which a call may be sent again where that is safe.",
      "temporaryCodes: readonly number[]",
      arrayLiteral(temporary.map(String)),
    ],
    [
      "The most calls of a batch; 0 where the interface has no batches.",
      "batchMax: number",
      String(wire.batch === false ? 0 : wire.batch.max),
    ],
  ];
  return printModule({
    path: `${folder}/interface.ts`,
    preamble: preamble(model),
    declares: [],
    body: constants.map(([doc, name, value]) => [docComment({ doc }), `export const ${name} = `, value, ";"]),
  });
}
