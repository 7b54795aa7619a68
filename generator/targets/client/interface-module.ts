import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import type { Printable } from "../../print/layout.ts";
import { arrayLiteral, jsonLiteral, stringLiteral } from "../../print/literals.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import { packageName } from "./readme-parts.ts";

/** What the fixed modules of a client read of its interface. */
export interface InterfaceFacts {
  /** The `name` of errors that the service answers with. */
  readonly errorName: string;
  /** The codes, as literals, and the type that they are of. */
  readonly codes: readonly string[];
  readonly codeType: "string" | "number";
  /** Those after which a call may be sent again where that is safe. */
  readonly temporaryCodes: readonly string[];
  /** Whether the data of every error is an object; otherwise it may be anything, or absent. */
  readonly hasErrorData: boolean;
  /** Headers of every request, beside the type of its content. */
  readonly headers: Readonly<Record<string, string>>;
  /** What only the protocol's own modules read: declarations, and constants. */
  readonly declarations?: readonly Printable[];
  readonly constants: readonly InterfaceConstant[];
}

type InterfaceConstant = readonly [doc: string, name: string, value: Printable];

/** `interface.ts`. Those of `templates/client` stand in for it. */
export function interfaceModule(model: ServiceModel, folder: string, facts: InterfaceFacts): string {
  const { codes, codeType, declarations = [] } = facts;
  const constants: readonly InterfaceConstant[] = [
    ...facts.constants,
    [
      "Headers of every request.",
      "ownHeaders",
      jsonLiteral({ "content-type": "application/json", ...facts.headers }),
    ],
    [
      "Codes with which the service asks the caller to try again later.",
      "temporaryCodes: readonly unknown[]",
      arrayLiteral([...new Set(facts.temporaryCodes)]),
    ],
    ["The `name` of errors that the service answers with.", "errorName", stringLiteral(facts.errorName)],
    [
      "Name of the member that marks the errors of this package.",
      "errorMark",
      stringLiteral(packageName(model)),
    ],
    [
      "The `data` of an error that has none.",
      "noErrorData: ErrorData",
      facts.hasErrorData ? "{}" : "undefined",
    ],
  ];
  const dataType = facts.hasErrorData ? "Readonly<Record<string, unknown>>" : "unknown";
  return printModule({
    path: `${folder}/interface.ts`,
    preamble: preamble(model),
    declares: [],
    body: [
      ...declarations,
      ...constants.map(([doc, name, value]) => [docComment({ doc }), `export const ${name} = `, value, ";"]),
      unionDeclaration("ErrorCode", { doc: "Every code of the interface." }, [...new Set(codes)]),
      [
        docComment({ doc: "A code of this interface, or one that a newer service knows." }),
        `export type AnyErrorCode = ErrorCode | (${codeType} & {});`,
      ],
      [docComment({ doc: "What an error carries." }), `export type ErrorData = ${dataType};`],
    ],
  });
}
