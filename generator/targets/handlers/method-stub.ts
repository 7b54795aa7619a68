import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { braces } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { methodPath } from "../../print/method-path.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { contextsModule } from "./contexts-stub.ts";
import { handlersModule } from "./handler-types.ts";

/** The file that a method's body is written in. Until then it throws the typed "unimplemented". */
export function methodStub(method: MethodModel, model: ServiceModel, layout: EmitLayout): FileDraft {
  const path = stubModule(method, model, layout);
  const { value } = method.names;
  const handler = importedType(interfaceNames(model).of(method).handler, handlersModule(layout));
  const contexts = importedType("Contexts", contextsModule(layout));
  const unimplemented = importedValue("unimplemented", layout.contract);
  const text = printModule({
    path,
    declares: [value],
    body: [
      [
        docComment(method),
        [`export const ${value}: `, handler, "<", contexts, "> = async () => "],
        braces([["throw ", unimplemented, "(", stringLiteral(method.name), ");"]]),
        ";",
      ],
    ],
  });
  return { path, ownership: "stub", text, method: method.name };
}

export function stubModule(method: MethodModel, model: ServiceModel, layout: EmitLayout): string {
  return `${layout.handlers}/${methodPath(method, model)}.ts`;
}
