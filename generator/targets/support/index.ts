import { relativeSpecifier } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { supportDeclarations, supportModule } from "./support-module.ts";
import { supportNeeded } from "./support-needs.ts";

/** `validators/support.js`: the functions that validators and zod schemas call. */
export const emitter: Emitter = {
  name: "support",
  emit: supportDrafts,
};

/** The functions that the validators and the zod schemas of an interface call, with their declarations. */
export function supportDrafts(model: ServiceModel, layout: EmitLayout): readonly FileDraft[] {
  const first = preamble(model);
  const support = `${layout.out}/validators/support`;
  const needed = supportNeeded(model);
  const declared = supportDeclarations(first, relativeSpecifier(support, layout.contract), needed);
  return [
    { path: `${support}.js`, ownership: "owned", text: supportModule(first, needed) },
    { path: `${support}.d.ts`, ownership: "owned", text: declared },
  ];
}
