import type { AccountRecord } from "../../domain/records/accounts.ts";
import type { Caller } from "../../../runtime/auth/index.ts";
import {
  seesGroup,
  visibleRecords,
  type VisibilityRules,
  type Visible,
} from "../../../runtime/operations/admin/index.ts";
import type { Reads } from "../../../runtime/store/ports/index.ts";
import {
  accountById,
  legalRepById,
  customerById,
  customersByIds,
  shareHolderById,
  accountByNumber,
  accountsByNumbers,
  beneficiaryById,
  transactionByReference,
  legalRepsOf,
} from "../../tables/index.ts";
import { operatorRealm } from "./realms.ts";
import type { Account } from "../../../generated/ledger/types.ts";
import type { ReadContext } from "../../../runtime/pipeline/index.ts";
import { accountOf } from "../presenters/account.ts";
import { institutionById } from "../../../runtime/store/tables/index.ts";

/** A legal representative is seen where the customer is. */
const rules: VisibilityRules = {
  operators: operatorRealm,
  groupOfRecipient: async (view, institutionId, id) =>
    (await view.one(legalRepById, institutionId, id))?.customerId,
};

/** What the caller of a context may see of users, subscriptions, deliveries and mails. */
export const visible: Visible = (context) => visibleRecords(context, rules);

/**
 * The bank's records within the caller's institution and, where the credential is bound to customers, among theirs.
 * Records outside get the same answer as missing ones (D-08, D-19).
 */
export function scopedReader({ store, caller }: { readonly store: Reads; readonly caller: Caller }) {
  const { institutionId } = caller;
  const account = async (id: string) => seen(caller, await store.one(accountById, institutionId, id));
  return {
    account,
    async customer(id: string) {
      const customer = await store.one(customerById, institutionId, id);
      return customer !== undefined && seesGroup(caller, customer.id) ? customer : undefined;
    },
    legalRep: async (id: string) => seen(caller, await store.one(legalRepById, institutionId, id)),
    shareHolder: async (id: string) => seen(caller, await store.one(shareHolderById, institutionId, id)),
    accountByNumber: async (number: string) =>
      seen(caller, await store.one(accountByNumber, institutionId, number)),
    /** The numbers that are of accounts. */
    async knownNumbers(numbers: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await store.many(accountsByNumbers, institutionId, numbers);
      return new Set(found.flatMap((each) => seen(caller, each)?.number ?? []));
    },
    /** The identifiers that are of customers. */
    async knownCustomers(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const seenIds = new Set(caller.groups ?? ids);
      const found = await store.many(customersByIds, institutionId, ids);
      return new Set(found.flatMap(({ id }) => (seenIds.has(id) ? id : [])));
    },
    /** Visible where its account is. */
    async beneficiary(id: string) {
      const beneficiary = await store.one(beneficiaryById, institutionId, id);
      if (beneficiary === undefined) return undefined;
      return (await account(beneficiary.accountId)) === undefined ? undefined : beneficiary;
    },
    /** Visible to callers who see the customer named in the transaction. */
    transactionByReference: async (referenceId: string) =>
      seen(caller, await store.one(transactionByReference, institutionId, referenceId)),
    /**
     * Visible to callers who see either side of the transaction (D-49), with the customer of the caller's side. Where the
     * caller sees both sides, that is the recorded customer.
     */
    async readableTransaction(referenceId: string) {
      const transaction = await store.one(transactionByReference, institutionId, referenceId);
      if (caller.groups === undefined)
        return transaction && { transaction, customerId: transaction.customerId };
      // The same work whether there is such a transaction or not (D-08).
      const { debtorAccountId = "", creditorAccountId = "" } = transaction ?? {};
      const debtor = await store.one(accountById, institutionId, debtorAccountId);
      const creditor = await store.one(accountById, institutionId, creditorAccountId);
      const side = [transaction, debtor, creditor].find((each) => seen(caller, each) !== undefined);
      return transaction && side && { transaction, customerId: side.customerId };
    },
  };
}

function seen<R extends { readonly customerId: string }>(
  caller: Caller,
  record: R | undefined,
): R | undefined {
  return record !== undefined && seesGroup(caller, record.customerId) ? record : undefined;
}

/** An account with all that the service keeps of it (section 2.1). The caller may see the account. */
export async function fullAccount(
  account: AccountRecord,
  { store, caller }: Pick<ReadContext, "store" | "caller">,
): Promise<Account> {
  const { institutionId, customerId, parentId, legalRepIds } = account;
  const [customer, institution, parent, legalReps] = await Promise.all([
    store.one(customerById, institutionId, customerId),
    store.one(institutionById, institutionId),
    parentId === undefined ? undefined : store.one(accountById, institutionId, parentId),
    legalRepIds.length === 0 ? [] : legalRepsOf(store, institutionId, legalRepIds),
  ]);
  return accountOf(account, {
    customerName: customer?.name ?? "",
    institutionName: institution?.name ?? "",
    parent,
    parentIsSeen: parent !== undefined && seesGroup(caller, parent.customerId),
    legalReps,
  });
}
