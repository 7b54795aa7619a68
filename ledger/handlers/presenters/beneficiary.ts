import type { BankAddress, BankDetail, Beneficiary, Contact } from "../../../generated/ledger/types.ts";
import { omitUndefined, sameNames, timestampText, type Given } from "../../../runtime/contract/index.ts";
import type { BankAddressRecord, BeneficiaryRecord, ContactRecord } from "../../domain/records/parties.ts";

/** The beneficiary record (section 2.3). */
export function beneficiaryOf(beneficiary: BeneficiaryRecord): Beneficiary {
  const { idType, id, bankName } = beneficiary.bankDetail;
  return {
    ID: beneficiary.id,
    createdDate: timestampText(beneficiary.createdAt),
    updatedDate: timestampText(beneficiary.updatedAt),
    type: beneficiary.type,
    firstName: beneficiary.firstName,
    lastName: beneficiary.lastName,
    accountNumber: beneficiary.accountNumber,
    accountType: beneficiary.accountType,
    contact: sameNames<ContactRecord, Contact>(beneficiary.contact),
    address: sameNames<BeneficiaryRecord["address"], Beneficiary["address"]>(beneficiary.address),
    bankAddress: sameNames<BankAddressRecord, BankAddress>(beneficiary.bankAddress),
    bankDetail: omitUndefined({ idType, ID: id, bankName } satisfies Given<BankDetail>),
    createdBy: beneficiary.createdBy,
    accountId: beneficiary.accountId,
    legalrepId: beneficiary.legalRepId,
    status: beneficiary.status,
    ...omitUndefined({
      uSCorrespondentBankID: beneficiary.usCorrespondentBankId,
      channel: beneficiary.channel,
    } satisfies Given<Beneficiary>),
  };
}
