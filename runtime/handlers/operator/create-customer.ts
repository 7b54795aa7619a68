import type { CreateCustomerHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Creates a customer of the institution, a business or a consumer.
 *
 * @see section 2.4 · D-27 · D-28
 */
export const createCustomer: CreateCustomerHandler<Contexts> = async () => {
  throw unimplemented("CreateCustomer");
};
