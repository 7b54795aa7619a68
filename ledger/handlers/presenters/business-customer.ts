import type {
  Address,
  BusinessCustomer,
  Contact,
  MonthlyProjection,
} from "../../../generated/ledger/types.ts";
import { omitUndefined, sameNames, timestampText, type Given } from "../../../runtime/contract/index.ts";
import { moneyDecimal } from "../../domain/money.ts";
import type { AddressRecord, ContactRecord, CustomerRecord } from "../../domain/records/parties.ts";

/** The business customer record (section 2.4). */
export function businessCustomerOf(customer: CustomerRecord): BusinessCustomer {
  return {
    ID: customer.id,
    type: "BUSINESS",
    businessNameLegal: customer.name,
    ...omitUndefined({
      dateEstablished: customer.dateEstablished,
      generalBusinessDescription: customer.generalBusinessDescription,
      monthlyProjection: projectionOf(customer),
    } satisfies Given<BusinessCustomer>),
    identification: customer.identification.map(({ value }) => ({ type: "TIN", value })),
    contact: sameNames<ContactRecord, Contact>(customer.contact),
    address: sameNames<AddressRecord, Address>(customer.address),
    createdDate: timestampText(customer.createdAt),
    updatedDate: timestampText(customer.updatedAt),
    status: customer.status,
  };
}

/** The monthly projection of a business, if it gave one. */
export function projectionOf({ monthlyProjection }: CustomerRecord): MonthlyProjection | undefined {
  if (monthlyProjection === undefined) return undefined;
  const { amountMinor, currency } = monthlyProjection;
  const amount =
    amountMinor === undefined || currency === undefined ? undefined : moneyDecimal({ amountMinor, currency });
  return omitUndefined({ amount, currency } satisfies Given<MonthlyProjection>);
}
