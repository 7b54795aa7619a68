import type { ServiceModel } from "../../model/service-model.ts";
import { preamble } from "../../print/preamble.ts";
import { validatorModule } from "../../print/validator-places.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { supportDrafts } from "../support/index.ts";
import {
  printedValidators,
  type PrintedValidator,
  validatorModules,
} from "../validators/printed-validators.ts";
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
    const own = all.filter((validator) => later.get(validator.name)?.code !== wholeCode(validator));
    drafts.set(old, own.length === 0 ? [] : withSupport(own, old, ownLayout));
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

function withSupport(
  own: readonly PrintedValidator[],
  model: ServiceModel,
  layout: EmitLayout,
): readonly FileDraft[] {
  return [...validatorModules(own, preamble(model), layout), ...supportDrafts(model, layout)];
}

function ofPayloads(model: ServiceModel): readonly PrintedValidator[] {
  return printedValidators(model).filter(({ kind }) => kind === "payloads");
}

type Placed = ReadonlyMap<string, { readonly code: string; readonly module: string }>;

function placed(validators: readonly PrintedValidator[], module: string): Placed {
  return new Map(validators.map((each) => [each.name, { code: wholeCode(each), module }]));
}

/** The code of a validator with that of all types that it checks. */
function wholeCode({ code, types }: PrintedValidator): string {
  return [code, ...types.map((each) => each.code)].join("\n");
}
