import type {
  AddAccountErrorCode,
  AddAccountFieldPointer,
  AddAccountHandler,
} from "../../../../generated/ledger/handlers.ts";
import type { AddAccountPayload } from "../../../../generated/ledger/types.ts";
import type { HandlerContext } from "../../../../runtime/contract/index.ts";
import { currencyOf } from "../../../domain/money.ts";
import type { AccountRecord } from "../../../domain/records/accounts.ts";
import type { CustomerRecord } from "../../../domain/records/parties.ts";
import { publishNewAccount } from "../../services/publish.ts";
import { auditNewAccount } from "../../services/audit.ts";
import { generalLedgerAccount } from "../../services/transactions.ts";
import { newAccount, unusedAccountNumber } from "../../services/accounts.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { accounts, legalRepsOf as legalRepsOfQuery } from "../../../tables/index.ts";

type Context = HandlerContext<AddAccountErrorCode, AddAccountFieldPointer> & Contexts["write"];

/**
 * Opens an account for a customer and generates its identifier and number. Which of the two forms applies,
 * the stored customer's type decides.
 *
 * @see section 4.7 · D-28 · D-30 · D-50 · D-51 · D-54
 */
export const addAccount: AddAccountHandler<Contexts> = async (payload, context) => {
  assertInput(payload, context);
  const customer = await scopedReader(context).customer(payload.customerID);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerID" });
  const custody = await custodyOf(payload, context);
  const legalRepIds = await legalRepsOf(payload, customer, context);
  const pool = await poolOf(payload, context);
  const parent = pool ?? (await generalLedgerAccount(context, "clearing", payload.currency));

  const account = newAccount({
    id: context.ids.id(),
    institutionId: customer.institutionId,
    customerId: customer.id,
    name: payload.name,
    number: await unusedAccountNumber(context),
    type: payload.accountType,
    currency: payload.currency,
    address: customer.address,
    legalRepIds,
    ...custody,
    parentId: parent.id,
    glAccount: parent.glAccount,
    createdAt: context.clock.now(),
  });
  await context.store.insert(accounts, account);
  await auditNewAccount(context, account);
  await publishNewAccount(context, account, pool);
  return {
    ID: account.id,
    status: account.status,
    accountNumber: account.number,
    accountType: account.type,
    institutionID: account.institutionId,
    customerID: account.customerId,
  };
};

/** Invalid input is reported before missing records (D-05). */
function assertInput({ accountType, currency, custodialType }: AddAccountPayload, context: Context): void {
  if (currencyOf(currency) === undefined) {
    throw context.error("BAD_INPUT", { field: "/currency", reason: "unknown-currency" });
  }
  if (accountType !== "CUSTODIAL") return;
  if (custodialType === undefined || context.rules.custodialTypes?.includes(custodialType) === false) {
    throw context.error("BAD_INPUT", { field: "/custodialType" });
  }
}

/** The customer for whose benefit a custodial account is held (D-29). */
async function custodyOf(
  { accountType, CustodialCustomerId, custodialType }: AddAccountPayload,
  context: Context,
): Promise<Pick<AccountRecord, "custodialCustomerId" | "custodialType">> {
  if (accountType !== "CUSTODIAL" || custodialType === undefined) return {};
  const beneficiary = await scopedReader(context).customer(CustodialCustomerId ?? "");
  if (beneficiary === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/CustodialCustomerId" });
  return { custodialCustomerId: beneficiary.id, custodialType };
}

/** Active representatives of the business itself (D-50); a consumer's form has no such field (D-28, D-54). */
async function legalRepsOf(
  { legalReps }: AddAccountPayload,
  customer: CustomerRecord,
  context: Context,
): Promise<readonly string[]> {
  if (legalReps === undefined) return [];
  if (customer.type === "CONSUMER") {
    throw context.error("BAD_INPUT", { field: "/legalReps", reason: "consumer" });
  }
  const ids = [...new Set(legalReps.map(({ ID }) => ID))];
  const found = await legalRepsOfQuery(context.store, customer.institutionId, ids);
  const byId = new Map(found.map((legalRep) => [legalRep.id, legalRep]));
  for (const [index, { ID }] of legalReps.entries()) {
    const legalRep = byId.get(ID);
    if (legalRep?.customerId !== customer.id) {
      throw context.error("NOT_FOUND_LEGAL_REP", { field: `/legalReps/${index}/ID` });
    }
    if (legalRep.status === "INACTIVE") {
      throw context.error("CONFLICT", { field: `/legalReps/${index}/ID`, reason: "inactive" });
    }
  }
  return ids;
}

/** The pool account under which the new one is opened: active, and of the same currency (D-51). */
async function poolOf(
  { activityAccountNumber, currency }: AddAccountPayload,
  context: Context,
): Promise<AccountRecord | undefined> {
  if (activityAccountNumber === undefined) return undefined;
  const pool = await scopedReader(context).accountByNumber(activityAccountNumber);
  const field = "/activityAccountNumber";
  if (pool === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field });
  if (pool.status !== "ACTIVE") throw context.error("CONFLICT", { field, reason: "account-status" });
  if (pool.currency !== currency) throw context.error("CONFLICT", { field, reason: "account-currency" });
  return pool;
}
