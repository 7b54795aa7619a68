import type { Beneficiary } from "../../../generated/ledger/types.ts";
import { timestampText } from "../../domain/index.ts";
import type { BeneficiaryRecord } from "../../ports/index.ts";
import { given } from "../services/given.ts";

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
    contact: beneficiary.contact,
    address: beneficiary.address,
    bankAddress: beneficiary.bankAddress,
    bankDetail: given({ idType, ID: id, bankName }),
    createdBy: beneficiary.createdBy,
    accountId: beneficiary.accountId,
    legalrepId: beneficiary.legalRepId,
    status: beneficiary.status,
    ...given({
      uSCorrespondentBankID: beneficiary.usCorrespondentBankId,
      channel: beneficiary.channel,
    }),
  };
}
