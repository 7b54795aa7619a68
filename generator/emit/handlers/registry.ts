import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { member, objectLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { contextsModule } from "./contexts-stub.ts";
import { handlersModule, handlersType } from "./handler-types.ts";
import { stubModule } from "./method-stub.ts";

/** `index.ts` of the folder of bodies: the handler of every method, by the method's name. */
export function registry(model: ServiceModel, layout: EmitLayout): FileDraft {
  const path = `${layout.handlers}/index.ts`;
  const names = interfaceNames(model);
  const name = `${names.value}Handlers`;
  const handlers = model.methods.map((method) =>
    member(method.name, importedValue(method.names.value, stubModule(method, model, layout))),
  );
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: [name],
    body: [
      [
        docComment({ doc: `The handler of every method of the ${model.name} interface.` }),
        `export const ${name}: `,
        importedType(handlersType(names), handlersModule(layout)),
        "<",
        importedType("Contexts", contextsModule(layout)),
        "> = ",
        objectLiteral(handlers, { broken: handlers.length > 0 }),
        ";",
      ],
    ],
  });
  return { path, ownership: "owned", text };
}
