import type { CreateCategoryHandler } from "../../../generated/operator/handlers.ts";
import { omitUndefined, timestampText } from "../../../runtime/contract/index.ts";
import type { Contexts } from "./contexts.ts";
import { categoryByName, categories } from "../../tables/index.ts";

/** Defines a category or product that accounts can be mapped to. @see section 4.10 · D-07 */
export const createCategory: CreateCategoryHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock, ids } = context;
  const taken = await store.one(categoryByName, caller.institutionId, payload.name);
  if (taken !== undefined) throw context.error("CONFLICT", { field: "/name", reason: "taken" });

  const category = {
    id: ids.id(),
    institutionId: caller.institutionId,
    name: payload.name,
    ...omitUndefined({ description: payload.description }),
    createdAt: clock.now(),
  };
  await store.insert(categories, category);
  return {
    categoryId: category.id,
    name: category.name,
    createdDate: timestampText(category.createdAt),
  };
};
