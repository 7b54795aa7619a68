import type { CreateSourceHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Defines an event source and the events that it offers.
 *
 * @see section 4.16 · D-36
 */
export const createSource: CreateSourceHandler<Contexts> = async () => {
  throw unimplemented("CreateSource");
};
