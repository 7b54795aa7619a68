import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { partOf } from "../../protocols/parts.ts";
import { errorsModule } from "../errors/errors-module.ts";
import { shapesModule } from "../shapes/index.ts";
import { adapterTypesPath, typesDraft, typesPath } from "../types/index.ts";
import { adapterDraft } from "./adapter-module.ts";
import { byHandStub } from "./by-hand-stub.ts";
import { revisionLayout } from "./layout.ts";
import { adapterPlans, type AdapterPlan } from "./plan.ts";
import { earlierValidators, type EarlierValidators } from "./earlier-validators.ts";

/**
 * `revisions/<revision>/` serves an earlier revision, with the adapter that makes its calls those of the next. The
 * folder of hand-written bodies gets one file for conversions that cannot be generated.
 */
export const emitter: Emitter = {
  name: "revisions",
  part: "server",
  emit(model, layout) {
    const plans = adapterPlans(model);
    if (plans.length === 0) return [];
    const validators = earlierValidators(plans, model, layout);
    const typesOfAdapters = adapterTypesPath(model, layout);
    const isOwn = typesOfAdapters !== typesPath(layout);
    const drafts = plans.flatMap((plan) => [
      ...earlierModules(plan, revisionLayout(layout, plan.old.revision), validators),
      adapterDraft(plan, model, layout),
      ...(plan.handWritten.length === 0 ? [] : [byHandStub(plan, layout)]),
    ]);
    return isOwn ? [typesDraft(model, layout, typesOfAdapters), ...drafts] : drafts;
  },
};

/** Answers and events of an earlier revision are printed by their shapes; only its requests are checked. */
function earlierModules(
  { old }: AdapterPlan,
  layout: EmitLayout,
  validators: EarlierValidators,
): readonly FileDraft[] {
  return [
    typesDraft(old, layout, typesPath(layout)),
    errorsModule(old, layout, partOf(old, "server").errors(old)),
    ...partOf(old, "server").methods(old, layout, {
      payload: (validator) => validators.moduleOf(old, validator),
    }),
    shapesModule(old, layout, true),
    ...validators.of(old),
  ];
}
