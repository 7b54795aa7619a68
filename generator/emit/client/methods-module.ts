import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { arrayLiteral, member, objectLiteral, stringLiteral } from "../../print/literals.ts";
import { importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";

/** `methods.ts`: every method as data, so that a bundle holds only those that are called. */
export function methodsModule(model: ServiceModel, folder: string): string {
  return printModule({
    path: `${folder}/methods.ts`,
    preamble: preamble(model),
    declares: model.methods.map((method) => method.names.value),
    body: model.methods.map((method) => methodConstant(method, model, folder)),
  });
}

function methodConstant(method: MethodModel, model: ServiceModel, folder: string): Printable {
  const { payload, result } = interfaceNames(model).of(method);
  const { transport } = method;
  const auth = transport.kind === "enveloped" ? transport.auth.map(stringLiteral) : undefined;
  const types = [importedType(payload, `${folder}/types.ts`), importedType(result, `${folder}/types.ts`)];
  return [
    docComment(method),
    `export const ${method.names.value}: `,
    importedType("Method", `${folder}/call.ts`),
    bracketed("<", ">", types, { trailingComma: false }),
    " = ",
    objectLiteral([
      member("name", stringLiteral(method.name)),
      auth === undefined ? undefined : member("auth", arrayLiteral(auth)),
    ]),
    ";",
  ];
}
