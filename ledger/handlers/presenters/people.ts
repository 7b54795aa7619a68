import type {
  Address,
  BeneficiarySummary,
  Contact,
  Customer,
  CustomerSummary,
  LegalRep,
  ShareHolderAddress,
  ShareHolderDetails,
  ShareHolderSummary,
} from "../../../generated/operator/types.ts";
import { omitUndefined, sameNames, timestampText, type Given } from "../../../runtime/contract/index.ts";
import type {
  AddressRecord,
  BeneficiaryRecord,
  ContactRecord,
  CustomerRecord,
  LegalRepRecord,
  ShareHolderAddressRecord,
  ShareHolderRecord,
} from "../../domain/records/parties.ts";
import { projectionOf } from "./business-customer.ts";

/** A customer as lists show it. */
export function customerSummary({ id, type, name, status, createdAt }: CustomerRecord): CustomerSummary {
  return { customerId: id, type, name, status, createdDate: timestampText(createdAt) };
}

/** A customer with all that the service keeps of it. */
export function customerOf(customer: CustomerRecord): Customer {
  const { dateEstablished, generalBusinessDescription, dateOfBirth } = customer;
  return {
    ...customerSummary(customer),
    ...omitUndefined({
      dateEstablished,
      generalBusinessDescription,
      monthlyProjection: projectionOf(customer),
      dateOfBirth,
    } satisfies Given<Customer>),
    identification: customer.identification,
    contact: sameNames<ContactRecord, Contact>(customer.contact),
    address: sameNames<AddressRecord, Address>(customer.address),
    updatedDate: timestampText(customer.updatedAt),
  };
}

export function legalRepOf(legalRep: LegalRepRecord): LegalRep {
  const { id, customerId, name, email, phoneNumber, status, createdAt, updatedAt } = legalRep;
  return {
    legalRepId: id,
    customerId,
    name,
    email,
    ...omitUndefined({ phoneNumber } satisfies Given<LegalRep>),
    status,
    createdDate: timestampText(createdAt),
    updatedDate: timestampText(updatedAt),
  };
}

/** A shareholder as lists show them: without identification and date of birth. */
export function shareHolderSummary(shareHolder: ShareHolderRecord): ShareHolderSummary {
  const { id, customerId, name, status, ownershipPercent, createdAt } = shareHolder;
  return {
    shareHolderId: id,
    customerId,
    name,
    status,
    ...omitUndefined({ ownershipPercent } satisfies Given<ShareHolderSummary>),
    createdDate: timestampText(createdAt),
  };
}

/** A shareholder with all that the service keeps of them. */
export function shareHolderOf(shareHolder: ShareHolderRecord): ShareHolderDetails {
  const { dateOfBirth, identification, contact, address, updatedAt } = shareHolder;
  return {
    ...shareHolderSummary(shareHolder),
    ...omitUndefined({ dateOfBirth } satisfies Given<ShareHolderDetails>),
    identification: { type: "SSN", value: identification.value },
    contact: { phoneNumber: "", ...sameNames<ContactRecord, Contact>(contact) },
    address: shareHolderAddressOf(address),
    updatedDate: timestampText(updatedAt),
  };
}

function shareHolderAddressOf({
  country = "",
  addressLine1 = "",
  addressLine2,
  city = "",
  state = "",
  zip = "",
}: ShareHolderAddressRecord): ShareHolderAddress {
  return { country, addressLine1, ...omitUndefined({ addressLine2 }), city, state, zip };
}

/** A beneficiary as lists show them. */
export function beneficiarySummary(beneficiary: BeneficiaryRecord): BeneficiarySummary {
  const { id, legalRepId, type, firstName, lastName, accountNumber, bankDetail, status } = beneficiary;
  return {
    beneficiaryId: id,
    legalRepId,
    type,
    firstName,
    lastName,
    accountNumber,
    ...omitUndefined({ bankName: bankDetail.bankName } satisfies Given<BeneficiarySummary>),
    status,
    createdDate: timestampText(beneficiary.createdAt),
  };
}
