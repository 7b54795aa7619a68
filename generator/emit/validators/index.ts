import { relativeSpecifier } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { everyProtocol, type EmitLayout, type Emitter, type FileDraft } from "../emitter.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { printedValidators, type PrintedValidator } from "./printed-validators.ts";
import { supportDeclarations, supportModule } from "./support-module.ts";
import { supportNeeded } from "./support-needs.ts";
import { validatorModules } from "./validator-modules.ts";

/**
 * `validators/`: an ES module each for payloads, results, events and errors' data, that imports nothing but `support.js`
 * and compiles nothing at run time; each with its declarations.
 */
export const emitter: Emitter = {
  name: "validators",
  protocols: everyProtocol,
  emit: (model, layout) => validatorDrafts(printedValidators(model), model, layout),
};

/** The modules of these validators of an interface, and the functions that they share. */
export function validatorDrafts(
  validators: readonly PrintedValidator[],
  model: ServiceModel,
  layout: EmitLayout,
): readonly FileDraft[] {
  const first = preamble(model);
  const support = `${layout.out}/validators/support`;
  const needed = supportNeeded(model);
  const declared = supportDeclarations(first, relativeSpecifier(support, layout.contract), needed);
  return [
    ...validatorModules(validators, first, layout),
    { path: `${support}.js`, ownership: "owned", text: supportModule(first, needed) },
    { path: `${support}.d.ts`, ownership: "owned", text: declared },
  ];
}
