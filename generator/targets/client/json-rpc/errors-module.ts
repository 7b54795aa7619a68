import type { ServiceModel } from "../../../model/service-model.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { interfaceNames } from "../../../print/interface-names.ts";
import { bracketed, type Printable } from "../../../print/layout.ts";
import { stringLiteral } from "../../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../../print/module.ts";
import { preamble } from "../../../print/preamble.ts";
import type { NamedError, StandardNames } from "./names.ts";

/** `error-classes.ts`: one class for each error of the interface and of the standard. */
export function errorsModule(model: ServiceModel, names: StandardNames, folder: string): string {
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: names.errors.map(({ className }) => className),
    body: names.errors.map((error) => classOf(error, model, folder)),
  });
}

function classOf(
  { className, code, message, doc, error, isShared }: NamedError,
  model: ServiceModel,
  folder: string,
) {
  const errors = `${folder}/service-error.ts`;
  const data: Printable =
    error?.data === undefined
      ? "unknown"
      : importedType(interfaceNames(model).ofErrorData(error), `${folder}/types.ts`);
  const types = bracketed("<", ">", [String(code), data]);
  const args = [String(code), stringLiteral(message), ...(isShared ? [stringLiteral("shared")] : [])];
  const make = [
    "/* @__PURE__ */ ",
    importedValue("namedError", errors),
    types,
    bracketed("(", ")", args),
    ";",
  ];
  const type = [": ", importedType("NamedErrorClass", errors), types, " ="];
  return [
    docComment({ ...error, doc }),
    [`export const ${className}`, type, " ", make, "\n"],
    [`export type ${className} = `, importedType("ServiceError", errors), types, ";"],
  ];
}
