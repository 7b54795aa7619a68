import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import type { Printable } from "../../print/layout.ts";
import { arrayLiteral, member, objectLiteral } from "../../print/literals.ts";
import { importedType, importedValue, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { HandlersPart } from "../../protocols/protocol.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { revisionName } from "../revisions/adapter-module.ts";
import { byHandName } from "../revisions/converter.ts";
import { adapterModule, byHandModule } from "../revisions/layout.ts";
import { adapterPlans, type AdapterPlan } from "../revisions/plan.ts";
import { contextsModule } from "./contexts-stub.ts";
import { handlersModule, handlersType } from "./handler-types.ts";
import { stubModule } from "./method-stub.ts";

/** `index.ts` of the folder of bodies: the handler of every method, by the method's name. */
export function registry(model: ServiceModel, layout: EmitLayout, part: HandlersPart): FileDraft {
  const path = `${layout.handlers}/index.ts`;
  const names = interfaceNames(model);
  const name = `${names.value}Handlers`;
  const revisions = `${names.value}Revisions`;
  const handlers = model.methods.map((method) =>
    member(method.name, importedValue(method.names.value, stubModule(method, model, layout))),
  );
  const text = printModule({
    path,
    preamble: preamble(model),
    declares: part.servesRevisions ? [name, revisions] : [name],
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
      ...(part.servesRevisions ? [servedRevisions(revisions, model, layout)] : []),
    ],
  });
  return { path, ownership: "owned", text };
}

function servedRevisions(name: string, model: ServiceModel, layout: EmitLayout): Printable {
  return [
    docComment({ doc: "The earlier revisions that are served beside it, oldest first." }),
    `export const ${name}: readonly `,
    importedType("ServedRevision", layout.contract),
    "[] = ",
    arrayLiteral(adapterPlans(model).map((plan) => servedRevision(plan, layout))),
    ";",
  ];
}

function servedRevision({ old, handWritten }: AdapterPlan, layout: EmitLayout): Printable {
  const alias = `revision${old.revision.replaceAll(".", "_")}`;
  const revision = importedValue(revisionName, adapterModule(layout, old), alias);
  if (handWritten.length === 0) return revision;
  const byHand = importedValue(byHandName, byHandModule(layout, old), `${alias}ByHand`);
  return [revision, "(", byHand, ")"];
}
