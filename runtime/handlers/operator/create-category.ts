import type { CreateCategoryHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Defines a category or product that accounts can be mapped to.
 *
 * @see section 4.10 · D-07
 */
export const createCategory: CreateCategoryHandler<Contexts> = async () => {
  throw unimplemented("CreateCategory");
};
