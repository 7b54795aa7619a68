import type { AddShareHolderHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Adds a shareholder to a business customer. The shareholder is enabled at once.
 *
 * @see section 2.6 · D-28
 */
export const addShareHolder: AddShareHolderHandler<Contexts> = async () => {
  throw unimplemented("AddShareHolder");
};
