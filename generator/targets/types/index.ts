import { isGrouped } from "../../model/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { importedType } from "../../print/module.ts";
import type { EmitLayout, Emitter, FileDraft } from "../emitter.ts";
import { typesModule, type TypesModuleStyle } from "./types-module.ts";

/** `types.ts`: every named type, and the payload and the result of every method, as handlers see them. */
export const emitter: Emitter = {
  name: "types",
  emit: (model, layout) => [typesDraft(model, layout, typesPath(layout), { presence: "groups" })],
};

/**
 * The path of the current revision's types for adapters, without groups of fields. Adapters put values together member by
 * member, where the compiler cannot see that a group holds. If no type states a group, these are the handlers' types.
 */
export function adapterTypesPath(model: ServiceModel, layout: EmitLayout): string {
  return isGrouped(model) ? `${layout.out}/revisions/types.ts` : typesPath(layout);
}

export function typesPath({ out }: EmitLayout): string {
  return `${out}/types.ts`;
}

/** A module of types as the service uses them. */
export function typesDraft(
  model: ServiceModel,
  layout: EmitLayout,
  path: string,
  presence: Pick<TypesModuleStyle, "presence"> = {},
): FileDraft {
  const style = {
    money: importedType("Decimal", layout.contract),
    json: importedType("JsonValue", layout.contract),
    doubledSpellings: false,
    defaultsFilled: true,
    ...presence,
  };
  return { path, ownership: "owned", text: typesModule(model, path, style) };
}
