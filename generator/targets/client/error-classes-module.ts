import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ClientNames } from "./names.ts";

/** `error-classes.ts`: the class of all errors that the service answers with, and one for each code. */
export function errorClassesModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const errors = `${folder}/errors.ts`;
  const classes = model.errors.map((error) => {
    const name = names.errorClass(error);
    const code = stringLiteral(error.code);
    const make = ["/* @__PURE__ */ ", importedValue("codeClass", errors), `(${code});`];
    const type = [": ", importedType("CodeClass", errors), `<${code}> =`];
    const alias = `export type ${name} = ${names.error}<${code}>;`;
    const action = error.action === "" ? "" : ` ${error.action}`;
    return [
      docComment({ ...error, doc: `\`${error.code}\`: ${error.doc}${action}` }),
      [`export const ${name}`, type, " ", make, "\n", alias],
    ];
  });
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: [names.error, ...model.errors.map((error) => names.errorClass(error))],
    body: [serviceError(names, errors), ...classes],
  });
}

/** The fixed class under the interface's own name: `LedgerError`. */
function serviceError({ error }: ClientNames, errors: string): Printable {
  const doc = "The service answered with an error: `code` says which. The message is the service's.";
  const anyCode = importedType("AnyErrorCode", errors);
  const own = [importedType("ServiceError", errors), "<Code>"];
  const value = [": ", importedType("ErrorClass", errors), `<${error}> =`];
  return [
    docComment({ doc }),
    [`export interface ${error}<Code extends string = `, anyCode, "> extends ", own, " {}\n"],
    [`export const ${error}`, value, " ", importedValue("ServiceError", errors), ";"],
  ];
}
