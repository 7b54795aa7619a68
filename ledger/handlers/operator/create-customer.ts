import type { CreateCustomerHandler } from "../../../generated/operator/handlers.ts";
import type { Address, Contact } from "../../../generated/operator/types.ts";
import { omitUndefined, sameNames, timestampText } from "../../../runtime/contract/index.ts";
import type { AddressRecord, ContactRecord, CustomerRecord } from "../../domain/records/parties.ts";
import { projectionAfter } from "../services/money-fields.ts";
import type { Contexts } from "./contexts.ts";
import { customers } from "../../tables/index.ts";

/** Creates a customer of the institution, a business or a consumer. @see section 2.4 · D-27 · D-28 */
export const createCustomer: CreateCustomerHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock, ids } = context;
  const common = {
    id: ids.id(),
    institutionId: caller.institutionId,
    status: "ACTIVE",
    identification: payload.identification ?? [],
    contact: sameNames<Contact, ContactRecord>(payload.contact ?? {}),
    address: sameNames<Address, AddressRecord>(payload.address ?? {}),
    createdAt: clock.now(),
    updatedAt: clock.now(),
  } as const;
  const customer: CustomerRecord =
    payload.type === "BUSINESS"
      ? {
          ...common,
          type: "BUSINESS",
          name: payload.businessNameLegal,
          ...omitUndefined({
            dateEstablished: payload.dateEstablished,
            generalBusinessDescription: payload.generalBusinessDescription,
            monthlyProjection: projectionAfter(context, undefined, payload.monthlyProjection),
          }),
        }
      : {
          ...common,
          type: "CONSUMER",
          name: payload.name,
          ...omitUndefined({ dateOfBirth: payload.dateOfBirth }),
        };
  await store.insert(customers, customer);
  return {
    customerId: customer.id,
    type: customer.type,
    status: customer.status,
    createdDate: timestampText(customer.createdAt),
  };
};
