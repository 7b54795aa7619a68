import type { ServiceModel } from "../../model/service-model.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { emitter as validators } from "../validators/index.ts";
import { revisionLayout } from "./layout.ts";
import type { AdapterPlan } from "./plan.ts";

/** The validators of earlier revisions: those of them that no later one has as well. */
export interface EarlierValidators {
  of(model: ServiceModel): readonly FileDraft[];
  /** Where a validator lies that belongs at a path: there, or in the folder of a later revision. */
  at(path: string): string;
}

export function earlierValidators(
  plans: readonly AdapterPlan[],
  current: ServiceModel,
  layout: EmitLayout,
): EarlierValidators {
  const places = new Map<string, string>();
  const drafts = new Map<ServiceModel, readonly FileDraft[]>();
  let laterLayout = layout;
  let later = byPlace(validators.emit(current, layout), layout);
  for (const { old } of plans.toReversed()) {
    const ownLayout = revisionLayout(layout, old.revision);
    const all = validators.emit(old, ownLayout);
    const own = byPlace(all, ownLayout);
    const shared = new Set<string>();
    for (const [place, text] of own) {
      if (later.get(place) !== text) continue;
      const path = `${laterLayout.out}/${place}`;
      places.set(`${ownLayout.out}/${place}`, places.get(path) ?? path);
      shared.add(place.replace(/\.js$/, ""));
    }
    const kept = all.filter(({ path }) => {
      const place = path.slice(ownLayout.out.length + 1);
      return /\.payload\./.test(place) && !shared.has(place.replace(/\.(?:d\.ts|js)$/, ""));
    });
    const support = all.filter(({ path }) => path.startsWith(`${ownLayout.out}/validators/support.`));
    drafts.set(old, kept.length === 0 ? [] : [...kept, ...support]);
    [later, laterLayout] = [own, ownLayout];
  }
  return { of: (model) => drafts.get(model) ?? [], at: (path) => places.get(path) ?? path };
}

/** The code of the validators of payloads, by path below the output folder, without the line that names a revision. */
function byPlace(drafts: readonly FileDraft[], { out }: EmitLayout): ReadonlyMap<string, string> {
  return new Map(
    drafts
      .filter(({ path }) => path.endsWith(".payload.js"))
      .map(({ path, text }) => [path.slice(out.length + 1), text.slice(text.indexOf("\n"))]),
  );
}
