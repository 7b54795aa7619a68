import type { Collections } from "../changes/collections.ts";
import { omitUndefined, RpcError } from "../../../runtime/contract/index.ts";
import type { AccountRecord } from "../../../ledger/domain/records/accounts.ts";
import { withPolicy, withRules } from "../changes/authentication.ts";
import {
  withContext,
  withHandler,
  withPayload,
  withResult,
  withTables,
  type Payload,
} from "../changes/handlers.ts";
import { each, faultOf, type ChangeOptions, type Fault } from "../fault.ts";
import { addAccountFaults } from "./add-account.ts";
import { registrationFaults } from "./registration.ts";
import { repetitionFaults } from "./repetition.ts";
import { accountByNumber, shareHolderById } from "../../../ledger/tables/index.ts";

const fault = faultOf("handlers");
const getAccount = "AccountService.GetAccount";
const setStatus = "AccountService.UpdateAccountStatus";
const setCategory = "AccountService.UpdateAccountCategory";
const list = "AccountService.ListAccounts";
const beneficiaries = "AccountService.ListBeneficiary";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const login = "CustomerService.CreateLegalRepLogin";
const nothing = (): Promise<void> => Promise.resolve();

/** What an operation keeps of an account is changed. */
const keptAccount = (
  method: string,
  change: (changed: AccountRecord, stored: AccountRecord | undefined) => AccountRecord,
): ChangeOptions =>
  withTables(method, ({ accounts }) => ({
    accounts: {
      ...accounts,
      async replace(changed) {
        const { institutionId, id } = changed;
        return accounts.replace(change(changed, await accounts.find(institutionId, id)));
      },
    },
  }));

/** What UpdateCustomer keeps of a customer is changed. */
const keptCustomer = (
  change: (
    changed: Parameters<Collections["customers"]["replace"]>[0],
    payload: Payload,
  ) => Parameters<Collections["customers"]["replace"]>[0],
): ChangeOptions =>
  withTables(updateCustomer, ({ customers }, payload) => ({
    customers: { ...customers, replace: (changed) => customers.replace(change(changed, payload)) },
  }));

/** A failure of an operation is answered with a result instead. */
const instead = (method: string, code: string, result: (payload: Payload) => object): ChangeOptions =>
  withHandler(
    method,
    (sound) => (payload, context) =>
      sound(payload, context).catch((error: unknown) => {
        if (error instanceof RpcError && error.code === code) return result(payload);
        throw error;
      }),
  );

/** The account of GetAccount is changed. */
const readAccount = (change: (account: Record<string, unknown>, payload: Payload) => object): ChangeOptions =>
  withResult(getAccount, ({ account }, payload) => ({ account: change({ ...Object(account) }, payload) }));

const pageOf = ({ PageNumber, PageSize }: Payload): { readonly number: number; readonly size: number } => ({
  number: Number(PageNumber ?? 1),
  size: Number(PageSize ?? 15),
});

/** ListAccounts asks the store for another page. */
const listing = (
  change: (
    query: { readonly offset: number; readonly limit: number },
    payload: Payload,
  ) => { readonly offset: number; readonly limit: number },
): ChangeOptions =>
  withTables(list, ({ accounts }, payload) => ({
    accounts: { ...accounts, list: (query) => accounts.list({ ...query, ...change(query, payload) }) },
  }));

const accountFaults: readonly Fault[] = [
  fault("status-not-kept", "A new status is answered and not kept.", {
    options: keptAccount(setStatus, (changed, stored) => ({
      ...changed,
      status: stored?.status ?? "ACTIVE",
    })),
  }),
  fault("former-status-answered", "UpdateAccountStatus answers the status that was.", {
    options: withHandler(setStatus, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const stored = await context.store.one(
        accountByNumber,
        institutionId,
        String(payload["accountNumber"]),
      );
      return { ...(await sound(payload, context)), Status: stored?.status };
    }),
  }),
  fault("closed-is-final", "A closed account stays closed.", {
    options: withRules({ closedIsFinal: true }),
  }),
  fault("same-status-conflicts", "Asking for the present status is a CONFLICT.", {
    options: withHandler(setStatus, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const stored = await context.store.one(
        accountByNumber,
        institutionId,
        String(payload["accountNumber"]),
      );
      const result = await sound(payload, context);
      if (stored?.status === payload["status"]) throw new RpcError("CONFLICT", { field: "/status" });
      return result;
    }),
  }),
  fault("status-change-not-dated", "A change of status leaves updatedDate as it was.", {
    options: keptAccount(setStatus, (changed, stored) => ({ ...changed, updatedAt: stored?.updatedAt ?? 0 })),
  }),
  fault("category-not-kept", "A new category is not kept.", {
    options: keptAccount(setCategory, (changed, stored) => stored ?? changed),
  }),
  fault("category-changes-status", "Another category makes an account CREATED.", {
    options: keptAccount(setCategory, (changed) => ({ ...changed, status: "CREATED" })),
  }),
  fault("category-change-not-dated", "Another category leaves updatedDate as it was.", {
    options: keptAccount(setCategory, (changed, stored) => ({
      ...changed,
      updatedAt: stored?.updatedAt ?? 0,
    })),
  }),
  fault("any-category", "A category that nobody defined is taken.", {
    options: instead(setCategory, "NOT_FOUND_CATEGORY", () => ({
      Message: "Account category updated successfully",
    })),
  }),
  fault("number-as-identifier", "GetAccount takes the number of an account too.", {
    options: withTables(getAccount, ({ accounts }) => ({
      accounts: {
        ...accounts,
        find: async (institutionId, id) =>
          (await accounts.find(institutionId, id)) ?? accounts.findByNumber(institutionId, id),
      },
    })),
  }),
  fault("closed-flag-lost", "isClosed is never true.", {
    options: readAccount((account) => ({ ...account, isClosed: false })),
  }),
  fault("debit-always", "debit is always true.", {
    options: readAccount((account) => ({ ...account, debit: true })),
  }),
  fault("wrong-customer-name", "customerName is empty.", {
    options: readAccount((account) => ({ ...account, customerName: "" })),
  }),
  fault("parent-without-code", "The parent of an account has its number as code.", {
    options: readAccount((account) => ({
      ...account,
      parent: account["parent"] && { ...Object(account["parent"]), code: Object(account["parent"]).number },
    })),
  }),
  fault("summary-of-another-name", "Account summaries have the customer's name.", {
    options: withTables(list, ({ accounts }) => ({
      accounts: {
        ...accounts,
        list: async (query) =>
          (await accounts.list(query)).map(({ account, ...names }) => ({
            ...names,
            account: { ...account, name: names.customerName },
          })),
      },
    })),
  }),
  fault("reads-remembered", "Reads are answered from memory.", {
    options: withHandler(getAccount, (sound) => {
      const remembered = new Map<string, object>();
      return async (payload, context) => {
        const key = JSON.stringify([payload, context.caller]);
        const result = remembered.get(key) ?? (await sound(payload, context));
        remembered.set(key, result);
        return result;
      };
    }),
  }),
];

const customerFaults: readonly Fault[] = [
  fault("customer-update-not-kept", "An update of a customer is answered and not kept.", {
    options: withTables(updateCustomer, ({ customers }) => ({
      customers: { ...customers, replace: nothing },
    })),
  }),
  fault("absent-is-empty", "What an update of a customer leaves out is removed.", {
    options: keptCustomer(
      ({ dateEstablished, generalBusinessDescription, monthlyProjection, ...changed }, payload) => ({
        ...changed,
        ...(payload["dateEstablished"] !== undefined && omitUndefined({ dateEstablished })),
        ...(payload["generalBusinessDescription"] !== undefined &&
          omitUndefined({ generalBusinessDescription })),
        ...(payload["monthlyProjection"] !== undefined && omitUndefined({ monthlyProjection })),
      }),
    ),
  }),
  fault("address-replaced", "An update of an address replaces all of it.", {
    options: keptCustomer((changed, payload) => ({ ...changed, address: { ...Object(payload["address"]) } })),
  }),
  fault("contact-lost", "An update without contact removes it.", {
    options: keptCustomer((changed, payload) => ({ ...changed, contact: { ...Object(payload["contact"]) } })),
  }),
  fault("creation-time-moves", "An update changes createdDate.", {
    options: withResult(updateCustomer, (result) => ({ ...result, createdDate: result["updatedDate"] })),
  }),
  fault("customer-change-not-dated", "An update of a customer leaves updatedDate as it was.", {
    options: withResult(updateCustomer, (result) => ({ ...result, updatedDate: result["createdDate"] })),
  }),
  fault("shareholder-enabled", "An update without Status enables a shareholder.", {
    options: withPayload(shareHolder, (payload) => ({ Status: "ENABLED", ...payload })),
  }),
  fault("shareholder-name-not-kept", "A shareholder's new name is not answered.", {
    options: withHandler(shareHolder, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const stored = await context.store.one(shareHolderById, institutionId, String(payload["Id"]));
      return { ...(await sound(payload, context)), Name: stored?.name };
    }),
  }),
  fault("email-lost", "An update without email removes it.", {
    options: withTables(shareHolder, ({ shareHolders }, payload) => ({
      shareHolders: {
        ...shareHolders,
        replace: (changed) =>
          shareHolders.replace({ ...changed, contact: { ...Object(payload["contact"]) } }),
        async find(institutionId, id) {
          const found = await shareHolders.find(institutionId, id);
          return found && { ...found, contact: {} };
        },
      },
    })),
  }),
  fault("shareholder-of-anybody", "A shareholder is updated under any customer.", {
    options: withTables(shareHolder, ({ shareHolders }, payload) => ({
      shareHolders: {
        ...shareHolders,
        async find(institutionId, id) {
          const found = await shareHolders.find(institutionId, id);
          return found && { ...found, customerId: String(payload["customerId"]) };
        },
      },
    })),
  }),
  fault("legal-rep-status-ignored", "A legal representative stays as it was.", {
    options: withPayload("CustomerService.UpdateLegalRepStatus", (payload) => ({
      ...payload,
      Status: "ACTIVE",
    })),
  }),
  fault("password-in-answer", "The portal's password is in the response.", {
    options: withHandler(login, (sound) => async (payload, context) => {
      let password = "";
      const mail: typeof context.mail = {
        ...context.mail,
        queue(draft, recipient) {
          if ("password" in draft) password = String(draft.password);
          return context.mail.queue(draft, recipient);
        },
      };
      const result = await sound(payload, { ...context, mail });
      return { ...result, message: `Your password is ${password}` };
    }),
  }),
  fault("same-portal-password", "Every login for the portal has the same password.", {
    options: withContext(login, ({ ids }) => ({
      ids: { ...ids, bytes: (length) => Buffer.alloc(length, 7) },
    })),
  }),
];

const listFaults: readonly Fault[] = [
  fault(
    "beneficiaries-of-unknown-account",
    "An unknown account has no beneficiaries, rather than an error.",
    {
      options: instead(beneficiaries, "NOT_FOUND_ACCOUNT", () => ({ beneficiarys: [] })),
    },
  ),
  fault("newest-beneficiary-first", "Beneficiaries are listed newest first.", {
    options: withResult(beneficiaries, ({ beneficiarys }) => ({
      beneficiarys: Array.isArray(beneficiarys) ? beneficiarys.toReversed() : [],
    })),
  }),
  fault("first-beneficiary-only", "Only one beneficiary is listed.", {
    options: withResult(beneficiaries, ({ beneficiarys }) => ({
      beneficiarys: Array.isArray(beneficiarys) ? beneficiarys.slice(0, 1) : [],
    })),
  }),
  fault("beneficiary-always-active", "A beneficiary is always ACTIVE.", {
    options: each(
      withResult("AccountService.GetBeneficiary", (result) => ({ ...result, status: "ACTIVE" })),
      withResult(beneficiaries, ({ beneficiarys }) => ({
        beneficiarys: Array.isArray(beneficiarys)
          ? beneficiarys.map((each: object) => ({ ...each, status: "ACTIVE" }))
          : [],
      })),
    ),
  }),
  fault("source-by-either", "A source's name and identifier need not agree.", {
    options: withPayload("GetSource", ({ id, ...payload }) =>
      payload["source"] === undefined ? { ...payload, id } : payload,
    ),
  }),
  fault("source-by-name-only", "A source's identifier is passed over.", {
    options: withPayload("GetSource", ({ id: _id, ...payload }) => payload),
  }),
  fault("page-off-by-one", "Pages are counted from 0.", {
    options: listing(({ limit }, payload) => ({ limit, offset: Number(payload["PageNumber"] ?? 0) * limit })),
  }),
  fault("pages-overlap", "A page begins with the last account of the one before.", {
    options: listing(({ limit, offset }) => ({ limit, offset: Math.max(0, offset - 1) })),
  }),
  fault("no-size-cap", "Pages may have more than 100 accounts.", {
    options: listing((_query, payload) => {
      const { number, size } = pageOf(payload);
      return { limit: size, offset: (number - 1) * size };
    }),
  }),
  fault("smaller-size-cap", "Pages have at most 50 accounts.", {
    options: listing(({ limit, offset }) => ({ limit: Math.min(limit, 50), offset })),
  }),
  fault("other-standard-size", "A page has 20 accounts where no size is given.", {
    options: withPayload(list, (payload) => ({ PageSize: 20, ...payload })),
  }),
  fault("oversized-page-refused", "A page size above 100 is refused.", {
    options: withHandler(list, (sound) => (payload, context) => {
      if (pageOf(payload).size > 100) throw new RpcError("BAD_INPUT", { field: "/PageSize" });
      return sound(payload, context);
    }),
  }),
  fault("offset-by-asked-size", "The page after 100 accounts begins where the size asked for ends.", {
    options: listing(({ limit }, payload) => {
      const { number, size } = pageOf(payload);
      return { limit, offset: (number - 1) * size };
    }),
  }),
  fault("filter-ignored", "Filters select everything.", {
    options: withPayload(list, (payload) => ({ ...payload, filter: "" })),
  }),
  fault("filter-mistakes-ignored", "A filter with a mistake selects nothing.", {
    options: instead(list, "BAD_INPUT", () => ({ accounts: [], riskScore: 0 })),
  }),
  fault("filter-without-column", "A mistake in a filter is reported without its column.", {
    options: withHandler(
      list,
      (sound) => (payload, context) =>
        sound(payload, context).catch((error: unknown) => {
          if (!(error instanceof RpcError) || error.detail.data === undefined) throw error;
          const { column: _column, ...data } = error.detail.data;
          throw new RpcError(error.code, { ...error.detail, data });
        }),
    ),
  }),
];

const subscriptionFaults: readonly Fault[] = [
  fault("only-first-account-checked", "Only the first account of a subscription is looked up.", {
    options: withHandler(
      "CreateSubscription",
      (sound) => (payload, context) =>
        sound({ ...payload, groupId: [payload["groupId"]].flat().slice(0, 1) }, context),
    ),
  }),
  fault("internal-callbacks", "Internal addresses are taken as callbacks.", {
    options: withPolicy({ callbackNetworksAllowed: ["0.0.0.0/0", "::/0"] }),
  }),
  fault("metadata-callbacks", "Link-local addresses are taken as callbacks.", {
    options: withPolicy({ callbackNetworksAllowed: ["127.0.0.0/8", "169.254.0.0/16"] }),
  }),
];

export const handlerFaults: readonly Fault[] = [
  ...accountFaults,
  ...addAccountFaults,
  ...customerFaults,
  ...listFaults,
  ...registrationFaults,
  ...subscriptionFaults,
  ...repetitionFaults,
];
