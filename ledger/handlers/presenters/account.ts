import type { Account, Address } from "../../../generated/ledger/types.ts";
import {
  omitUndefined,
  sameNames,
  timestampText,
  type Given,
  type Decimal,
} from "../../../runtime/contract/index.ts";
import { moneyDecimal, availableMinor, currencyOf } from "../../domain/money.ts";
import { movementsAllowed } from "../../domain/accounts.ts";
import type { AccountRecord } from "../../domain/records/accounts.ts";
import type { AddressRecord, LegalRepRecord } from "../../domain/records/parties.ts";
import type { ListedAccount } from "../../domain/lists.ts";

/** Data beside an account's record that its presentation needs. */
export interface AccountSurroundings {
  readonly customerName: string;
  readonly institutionName: string;
  readonly parent: AccountRecord | undefined;
  /** Whether the caller may see the parent's own data. */
  readonly parentIsSeen: boolean;
  readonly legalReps: readonly LegalRepRecord[];
}

/** The full account record (section 2.1). */
export function accountOf(account: AccountRecord, around: AccountSurroundings): Account {
  return {
    id: account.id,
    name: account.name,
    number: account.number,
    nickName: account.nickName,
    createdDate: timestampText(account.createdAt),
    updatedDate: timestampText(account.updatedAt),
    debit: movementsAllowed[account.status].includes("debit"),
    minimumBalance: moneyDecimal({ amountMinor: account.minimumMinor, currency: account.currency }),
    subLedgerCode: account.subLedgerCode,
    tags: account.tags,
    final: account.final,
    ...omitUndefined({ parent: parentOf(around) } satisfies Given<Account>),
    customerID: account.customerId,
    customerName: around.customerName,
    institutionName: around.institutionName,
    accountCategory: account.category,
    accountType: account.type,
    ...accountBalances(account),
    legalReps: around.legalReps.map((legalRep) => ({
      ID: legalRep.id,
      name: legalRep.name,
      createdDate: timestampText(legalRep.createdAt),
      updatedDate: timestampText(legalRep.updatedAt),
    })),
    status: account.status,
    institutionID: account.institutionId,
    glAccount: account.glAccount,
    DDAAccount: account.demandDeposit,
    address: sameNames<AddressRecord, Address>(account.address),
    isVerify: account.verified,
    minimumRouteApprovers: account.minimumRouteApprovers,
    newRouteAlert: account.newRouteAlert,
    ceTransactionNumber: account.ceTransactionNumber,
    accountLevel: account.accountLevel,
    accountFinderSync: account.accountFinderSync,
    isGLVerify: account.glVerified,
    isShadowAccount: account.shadow,
    sweep: account.sweep,
    isClosed: account.status === "CLOSED",
    program: account.program,
    productID: account.productId,
    externalLedger: account.externalLedger,
  };
}

/** Another customer's pool account has no more than identifier and number here (D-51). */
function parentOf({ parent, parentIsSeen }: AccountSurroundings): Account["parent"] | undefined {
  if (parent === undefined) return undefined;
  const { id: ID, number } = parent;
  return parentIsSeen ? { ID, code: parent.subLedgerCode, name: parent.name, number } : { ID, number };
}

/** The currency and the balances of an account as the interface writes them (D-37). */
export function accountBalances(account: ListedAccount) {
  const amount = (amountMinor: bigint): Decimal => moneyDecimal({ amountMinor, currency: account.currency });
  return {
    balance: amount(availableMinor(account)),
    holdBalance: amount(account.holdMinor),
    ledgerBalance: amount(account.ledgerMinor),
    preAuthBalance: amount(account.preAuthMinor),
    currency: account.currency,
    currencyCode: currencyOf(account.currency)?.numericCode ?? "",
  };
}
