import type { ListCategoriesHandler } from "../../../generated/operator/handlers.ts";
import { categoryOf } from "../presenters/catalog.ts";
import { listById } from "../services/list-by-id.ts";
import type { Contexts } from "./contexts.ts";
import { categoriesAfter } from "../../tables/index.ts";

/**
 * Lists the categories that accounts can be mapped to, page by page, in the order of creation.
 *
 * @see section 4.10 · D-07
 */
export const listCategories: ListCategoriesHandler<Contexts> = async (payload, context) => {
  const { items, next } = await listById(context, payload, categoriesAfter);
  return { categories: items.map(categoryOf), ...next };
};
