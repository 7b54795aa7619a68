import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { shapeDeclarations } from "./shape-declarations.ts";

/** `shapes.ts`: the fields of every payload and result, for matching names and encoding answers. */
export const emitter: Emitter = {
  name: "shapes",
  emit: (model, layout) => [shapesModule(model, layout, model.serves !== undefined)],
};

/** `shapes.ts` in the output folder of a layout, with the events' payloads or without. */
export function shapesModule(model: ServiceModel, layout: EmitLayout, withEvents: boolean): FileDraft {
  const path = `${layout.out}/shapes.ts`;
  const { declarations, names } = shapeDeclarations(model, layout.contract, withEvents);
  const text = printModule({ path, preamble: preamble(model), declares: names, body: declarations });
  return { path, ownership: "owned", text };
}
