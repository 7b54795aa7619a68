import type { MethodModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import type { InterfaceNames } from "../../print/interface-names.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { importedType } from "../../print/module.ts";
import type { EmitLayout } from "../emitter.ts";

/** The type of the handler of a method, over a generic type of the contract. `errors` are those that it may throw. */
export function handlerDeclaration(
  generic: "Handler" | "JsonRpcHandler",
  method: MethodModel,
  names: InterfaceNames,
  layout: EmitLayout,
  errors: Printable,
  ...more: readonly Printable[]
): Printable {
  const own = names.of(method);
  const typesModule = `${layout.out}/types.ts`;
  const context = method.effect === "read" ? "read" : "write";
  const members = [
    importedType(own.payload, typesModule),
    importedType(own.result, typesModule),
    errors,
    `C["${context}"]`,
    own.fieldPointer,
    ...more,
  ];
  return [
    docComment(method),
    `export type ${own.handler}<C extends `,
    importedType("Contexts", layout.contract),
    "> = ",
    importedType(generic, layout.contract),
    bracketed("<", ">", members),
    ";",
  ];
}
