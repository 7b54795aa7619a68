import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { group, hardline, indent, line } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { ClientNames } from "./names.ts";

/** `error-codes.ts`: the union of the codes. */
export function errorCodesModule(model: ServiceModel, folder: string): string {
  const remarks = { doc: "Every code of the interface." };
  const codes = model.errors.map((error) => stringLiteral(error.code));
  return printModule({
    path: `${folder}/error-codes.ts`,
    preamble: preamble(model),
    declares: ["ErrorCode"],
    body: [unionDeclaration("ErrorCode", remarks, codes)],
  });
}

/** `error-classes.ts`: a class for each code. */
export function errorClassesModule(model: ServiceModel, names: ClientNames, folder: string): string {
  const errors = `${folder}/errors.ts`;
  const body = model.errors.map((error) => {
    const name = names.errorClass(error);
    const code = stringLiteral(error.code);
    const make = ["/* @__PURE__ */ ", importedValue("codeClass", errors), `(${code});`];
    const type = [": ", importedType("CodeClass", errors), `<${code}> =`];
    const alias = [
      `export type ${name} =`,
      group(indent([line, importedType(names.error, errors), `<${code}>;`])),
    ];
    const action = error.action === "" ? "" : ` ${error.action}`;
    return [
      docComment({ ...error, doc: `\`${error.code}\`: ${error.doc}${action}` }),
      [`export const ${name}`, type, group(indent([line, make])), hardline, alias],
    ];
  });
  return printModule({
    path: `${folder}/error-classes.ts`,
    preamble: preamble(model),
    declares: model.errors.map((error) => names.errorClass(error)),
    body,
  });
}
