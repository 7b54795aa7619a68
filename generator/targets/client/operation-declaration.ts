import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { importedType, importedValue } from "../../print/module.ts";
import { methodComment } from "./method-comment.ts";

/** The constant of one method in `operations.ts`; `args` are the arguments of the call that makes it, with their brackets. */
export function operationDeclaration(
  method: MethodModel,
  model: ServiceModel,
  folder: string,
  args: Printable,
): Printable {
  const { payload, result } = interfaceNames(model).of(method);
  const types = [importedType(payload, `${folder}/types.ts`), importedType(result, `${folder}/types.ts`)];
  const type = [importedType("Operation", `${folder}/operation.ts`), bracketed("<", ">", types)];
  const call = ["/* @__PURE__ */ ", importedValue("operation", `${folder}/operation.ts`), args];
  return [methodComment(method), `export const ${method.names.value}: `, type, " = ", call, ";"];
}
