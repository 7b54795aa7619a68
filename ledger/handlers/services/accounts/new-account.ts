import type { AccountRecord } from "../../../domain/records/accounts.ts";

/** The fields that open an account. */
export type AccountOpening = Pick<
  AccountRecord,
  "id" | "institutionId" | "customerId" | "name" | "number" | "type" | "currency" | "glAccount" | "createdAt"
> &
  Partial<AccountRecord>;

/** An account as it is opened: ACTIVE and empty, with nothing switched on that was not asked for. */
export function newAccount(opening: AccountOpening): AccountRecord {
  return {
    nickName: "",
    status: "ACTIVE",
    category: "",
    ledgerMinor: 0n,
    holdMinor: 0n,
    preAuthMinor: 0n,
    minimumMinor: 0n,
    subLedgerCode: "",
    tags: [],
    final: false,
    legalRepIds: [],
    demandDeposit: opening.type === "CHECKING",
    address: {},
    verified: false,
    minimumRouteApprovers: 0,
    newRouteAlert: false,
    ceTransactionNumber: "",
    accountLevel: "PRIMARY",
    accountFinderSync: false,
    glVerified: false,
    shadow: false,
    sweep: false,
    program: "",
    productId: "",
    externalLedger: false,
    updatedAt: opening.createdAt,
    ...opening,
  };
}
