import type { AddLegalRepHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Adds a legal representative to a business customer. The representative is active at once.
 *
 * @see section 2.5 · D-28
 */
export const addLegalRep: AddLegalRepHandler<Contexts> = async () => {
  throw unimplemented("AddLegalRep");
};
