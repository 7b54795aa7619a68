import type { Collections } from "../changes/collections.ts";
import { currencyOf } from "../../../ledger/domain/money.ts";
import type { AccountRecord } from "../../../ledger/domain/records/accounts.ts";
import { withHandler, withPayload, withTables, type Payload } from "../changes/handlers.ts";
import { RpcError } from "../../../runtime/contract/index.ts";
import { faultOf, type ChangeOptions, type Fault } from "../fault.ts";
import { customerById } from "../../../ledger/tables/index.ts";

const fault = faultOf("handlers");
const addAccount = "CustomerService.AddAccount";

/** The stored account is changed, not the response. */
const opened = (change: (account: AccountRecord) => AccountRecord): ChangeOptions =>
  withTables(addAccount, ({ accounts }) => ({
    accounts: { ...accounts, insert: (account) => accounts.insert(change(account)) },
  }));

/** Legal representatives are found otherwise. */
const legalRepsFound = (
  change: (find: Collections["legalReps"]["find"], payload: Payload) => Collections["legalReps"]["find"],
): ChangeOptions =>
  withTables(addAccount, ({ legalReps }, payload) => ({
    legalReps: { ...legalReps, find: change((...key) => legalReps.find(...key), payload) },
  }));

/** Opening under a pool or for a custodian that does not exist succeeds without it. */
const withoutOnFailure = (field: string): ChangeOptions =>
  withHandler(
    addAccount,
    (sound) => (payload, context) =>
      sound(payload, context).catch((error: unknown) => {
        if (!(error instanceof RpcError) || error.detail.field !== `/${field}`) throw error;
        const { [field]: _unknown, ...others } = payload;
        return sound(
          field === "CustodialCustomerId" ? { ...others, accountType: "CHECKING" } : others,
          context,
        );
      }),
  );

/** Faults of AddAccount. */
export const addAccountFaults: readonly Fault[] = [
  fault("opened-as-created", "A new account is read as CREATED.", {
    options: opened((account) => ({ ...account, status: "CREATED" })),
  }),
  fault("other-type-opened", "A WALLET is opened as CHECKING.", {
    options: opened((account) => (account.type === "WALLET" ? { ...account, type: "CHECKING" } : account)),
  }),
  fault("name-of-customer", "A new account has the name of its customer.", {
    options: withTables(addAccount, ({ accounts, customers }) => ({
      accounts: {
        ...accounts,
        async insert(account) {
          const customer = await customers.find(account.institutionId, account.customerId);
          return accounts.insert({ ...account, name: customer?.name ?? "" });
        },
      },
    })),
  }),
  fault("legal-reps-lost", "Legal representatives of a new account are lost.", {
    options: opened((account) => ({ ...account, legalRepIds: [] })),
  }),
  fault("legal-rep-twice", "A legal representative who is named twice operates the account twice.", {
    options: opened((account) => ({
      ...account,
      legalRepIds: account.legalRepIds.flatMap((id, index) => (index === 0 ? [id, id] : [id])).slice(0, 2),
    })),
  }),
  fault("legal-reps-of-anybody", "Legal representatives of other customers operate an account.", {
    options: legalRepsFound((find, payload) => async (...key) => {
      const found = await find(...key);
      return found && { ...found, customerId: String(payload["customerID"]) };
    }),
  }),
  fault("only-first-legal-rep-checked", "Only the first legal representative is looked up.", {
    options: withPayload(addAccount, (payload) =>
      Array.isArray(payload["legalReps"]) && payload["legalReps"].length > 1
        ? { ...payload, legalReps: payload["legalReps"].slice(0, 1) }
        : payload,
    ),
  }),
  fault("consumer-with-legal-reps", "A consumer's account may have legal representatives.", {
    options: withHandler(addAccount, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const customer = await context.store.one(customerById, institutionId, String(payload["customerID"]));
      const { legalReps: _none, ...others } = payload;
      return sound(customer?.type === "CONSUMER" ? others : payload, context);
    }),
  }),
  fault("parent-lost", "The pool of a new account is lost.", {
    options: opened(({ parentId: _parent, ...account }) => account),
  }),
  fault("unknown-pool", "A pool that does not exist is passed over.", {
    options: withoutOnFailure("activityAccountNumber"),
  }),
  fault("unknown-custodian", "A custodial account is held for nobody.", {
    options: withoutOnFailure("CustodialCustomerId"),
  }),
  fault("any-currency", "A currency that does not exist is taken for dollars.", {
    options: withPayload(addAccount, (payload) =>
      currencyOf(String(payload["currency"])) === undefined ? { ...payload, currency: "USD" } : payload,
    ),
  }),
  fault("unknown-customer-is-input", "An unknown customer is BAD_INPUT.", {
    options: withHandler(
      addAccount,
      (sound) => (payload, context) =>
        sound(payload, context).catch((error: unknown) => {
          if (!(error instanceof RpcError) || error.code !== "NOT_FOUND_CUSTOMER") throw error;
          throw new RpcError("BAD_INPUT", error.detail);
        }),
    ),
  }),
  fault("address-of-nobody", "A new account does not have the address of its customer.", {
    options: opened((account) => ({ ...account, address: { city: "Nowhere" } })),
  }),
];
