import type { ServiceModel } from "../../model/service-model.ts";
import { validatorModule } from "../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { validatorDrafts } from "../validators/index.ts";
import { printedValidators, type PrintedValidator } from "../validators/printed-validators.ts";
import { revisionLayout } from "./layout.ts";
import type { AdapterPlan } from "./plan.ts";

/** The validators of earlier revisions: those of them that no later one has as well. */
export interface EarlierValidators {
  of(model: ServiceModel): readonly FileDraft[];
  /** The module that has a validator of a revision's payloads: its own, or that of a later revision. */
  moduleOf(model: ServiceModel, validator: string): string;
}

export function earlierValidators(
  plans: readonly AdapterPlan[],
  current: ServiceModel,
  layout: EmitLayout,
): EarlierValidators {
  const drafts = new Map<ServiceModel, readonly FileDraft[]>();
  const modules = new Map<ServiceModel, ReadonlyMap<string, string>>();
  let later = placed(ofPayloads(current), validatorModule(layout.out, "payloads"));
  for (const { old } of plans.toReversed()) {
    const ownLayout = revisionLayout(layout, old.revision);
    const all = ofPayloads(old);
    const own = all.filter(({ name, code }) => later.get(name)?.code !== code);
    drafts.set(old, own.length === 0 ? [] : validatorDrafts(own, old, ownLayout));
    const shared = [...later].filter(([name]) => !own.some((each) => each.name === name));
    later = new Map([...shared, ...placed(own, validatorModule(ownLayout.out, "payloads"))]);
    modules.set(old, new Map([...later].map(([name, { module }]) => [name, module])));
  }
  return {
    of: (model) => drafts.get(model) ?? [],
    moduleOf(model, validator) {
      const module = modules.get(model)?.get(validator);
      if (module === undefined) throw new Error(`revision ${model.revision} has no ${validator}`);
      return module;
    },
  };
}

function ofPayloads(model: ServiceModel): readonly PrintedValidator[] {
  return printedValidators(model).filter(({ kind }) => kind === "payloads");
}

type Placed = ReadonlyMap<string, { readonly code: string; readonly module: string }>;

function placed(validators: readonly PrintedValidator[], module: string): Placed {
  return new Map(validators.map(({ name, code }) => [name, { code, module }]));
}
