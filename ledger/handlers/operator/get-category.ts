import type { GetCategoryHandler } from "../../../generated/operator/handlers.ts";
import { categoryOf } from "../presenters/catalog.ts";
import type { Contexts } from "./contexts.ts";
import { categoryByName } from "../../tables/index.ts";

/** Reads a category, by its name. @see section 4.10 · D-07 */
export const getCategory: GetCategoryHandler<Contexts> = async ({ name }, context) => {
  const category = await context.store.one(categoryByName, context.caller.institutionId, name);
  if (category === undefined) throw context.error("NOT_FOUND_CATEGORY", { field: "/name" });
  return { category: categoryOf(category) };
};
