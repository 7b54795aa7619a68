import type { AddBeneficiaryHandler } from "../../../generated/operator/handlers.ts";
import type { AddBeneficiaryPayload, BankAddress, Contact } from "../../../generated/operator/types.ts";
import { omitUndefined, sameNames, timestampText } from "../../../runtime/contract/index.ts";
import type { BankAddressRecord, BeneficiaryRecord, ContactRecord } from "../../domain/records/parties.ts";
import { beneficiariesMax, beneficiaryBytesMax } from "../services/accounts.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { beneficiariesOfAccount, beneficiaries } from "../../tables/index.ts";
import { userByName } from "../../../runtime/store/tables/index.ts";

/**
 * Adds a beneficiary to an account for a legal representative. The beneficiary is active at once.
 *
 * @see section 2.3 · D-27 · D-34 · D-50
 */
export const addBeneficiary: AddBeneficiaryHandler<Contexts> = async (payload, context) => {
  const { store, clock, ids } = context;
  if (Buffer.byteLength(JSON.stringify(payload)) > beneficiaryBytesMax) {
    throw context.error("BAD_INPUT", {
      reason: "beneficiary-too-long",
      data: { bytesMax: beneficiaryBytesMax },
    });
  }
  const account = await scopedReader(context).account(payload.accountId);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountId" });
  const legalRep = await scopedReader(context).legalRep(payload.legalRepId);
  if (legalRep?.customerId !== account.customerId) {
    throw context.error("NOT_FOUND_LEGAL_REP", { field: "/legalRepId" });
  }
  if (legalRep.status === "INACTIVE") {
    throw context.error("CONFLICT", { field: "/legalRepId", reason: "inactive" });
  }
  const others = await store.count(beneficiariesOfAccount, account.institutionId, account.id, legalRep.id);
  if (others >= beneficiariesMax) {
    throw context.error("CONFLICT", { field: "/accountId", reason: "too-many-beneficiaries" });
  }

  const creator = await store.one(userByName, context.caller.userName);
  const beneficiary: BeneficiaryRecord = {
    ...payeeOf(payload),
    id: ids.id(),
    institutionId: account.institutionId,
    accountId: account.id,
    legalRepId: legalRep.id,
    createdBy: creator?.email ?? "",
    status: "ACTIVE",
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await store.insert(beneficiaries, beneficiary);
  return {
    beneficiaryId: beneficiary.id,
    accountId: beneficiary.accountId,
    status: beneficiary.status,
    createdDate: timestampText(beneficiary.createdAt),
  };
};

/** Who is paid, and through which bank. */
function payeeOf(payload: AddBeneficiaryPayload) {
  const { idType, ID: id, bankName } = payload.bankDetail ?? {};
  return {
    type: payload.type,
    firstName: payload.firstName,
    lastName: payload.lastName,
    accountNumber: payload.accountNumber,
    accountType: payload.accountType,
    contact: sameNames<Contact, ContactRecord>(payload.contact ?? {}),
    address: sameNames<NonNullable<AddBeneficiaryPayload["address"]>, BeneficiaryRecord["address"]>(
      payload.address ?? {},
    ),
    bankAddress: sameNames<BankAddress, BankAddressRecord>(payload.bankAddress ?? {}),
    bankDetail: omitUndefined({ idType, id, bankName }),
    ...omitUndefined({ usCorrespondentBankId: payload.uSCorrespondentBankID, channel: payload.channel }),
  };
}
