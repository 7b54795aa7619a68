import type { ServiceModel } from "../../model/service-model.ts";
import type { EmitLayout } from "../emitter.ts";

/** Where the generated files of an earlier revision go. */
export function revisionLayout(layout: EmitLayout, revision: string): EmitLayout {
  return { ...layout, out: `${layout.out}/revisions/${revision}` };
}

/** The module that makes one revision of another. */
export function adapterModule(layout: EmitLayout, { revision }: ServiceModel): string {
  return `${revisionLayout(layout, revision).out}/adapter.ts`;
}

/** The file that people write what cannot be generated. */
export function byHandModule(layout: EmitLayout, { revision }: ServiceModel): string {
  return `${layout.handlers}/revisions/${revision}.ts`;
}
