import type { ServiceModel } from "../../model/service-model.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";

/** Names of the document's own components. */
export interface ComponentNames {
  readonly error: string;
}

export function componentNames(model: ServiceModel, definitions: readonly string[]): ComponentNames {
  const names = interfaceNames(model);
  const taken = new Set([
    ...definitions,
    ...model.methods.flatMap((method) => [names.of(method).payload, names.of(method).result]),
    ...model.events.map((event) => names.ofEvent(event)),
  ]);
  return { error: claim(`${names.type}Error`, taken) };
}
