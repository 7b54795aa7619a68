import type { Collections } from "../changes/collections.ts";
import type { Pipeline } from "../../../runtime/pipeline/index.ts";
import {
  withHandler,
  withPayload,
  withResult,
  withTables,
  type Context,
  type Payload,
} from "../changes/handlers.ts";
import { withMembers } from "../changes/requests.ts";
import { faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import {
  accountById,
  customerById,
  customers,
  shareHolderById,
  legalRepById,
  legalReps as legalRepsTable,
} from "../../../ledger/tables/index.ts";
import { accountPage } from "../../../ledger/books/listing/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setStatus = "AccountService.UpdateAccountStatus";
const listBeneficiary = "AccountService.ListBeneficiary";
const addAccount = "CustomerService.AddAccount";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const legalRepStatus = "CustomerService.UpdateLegalRepStatus";
const subscribe = "CreateSubscription";
const requestIdMax = 64;
const accountsMax = 1_000;

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const validate = faultOf("validate");
const decode = faultOf("decode");
const authenticate = faultOf("authenticate");
const events = faultOf("events");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The account that an operation has just been answered with, as it is stored. */
const opened = ({ caller, store }: Context, id: unknown) =>
  store.one(accountById, caller.institutionId, String(id));

/** An opening under a name that an account of the customer has is answered with that account. */
const oneAccountPerName: ChangeOptions = withHandler(addAccount, (sound) => async (payload, context) => {
  const { caller, store } = context;
  const customerIds = [String(payload["customerID"])];
  const query = { institutionId: caller.institutionId, customerIds, offset: 0, limit: accountsMax };
  const found = (await store.page(accountPage(query))).find(
    ({ account }) => account.name === payload["name"],
  );
  if (found === undefined) return sound(payload, context);
  const { id, status, number, type, institutionId, customerId } = found.account;
  return {
    ID: id,
    status,
    accountNumber: number,
    accountType: type,
    institutionID: institutionId,
    customerID: customerId,
  };
});

/** AddAccount's `name` becomes that of the customer. */
const customerRenamed: ChangeOptions = withHandler(addAccount, (sound) => async (payload, context) => {
  const result = await sound(payload, context);
  const { caller, store } = context;
  const customer = await store.one(customerById, caller.institutionId, String(payload["customerID"]));
  if (customer !== undefined) await store.replace(customers, { ...customer, name: String(payload["name"]) });
  return result;
});

/** GetAccount names the custodial customer as the owner. */
const custodianOwns: ChangeOptions = withResult(getAccount, async ({ account }, payload, context) => {
  const stored = await opened(context, payload["ID"]);
  const customerID = stored?.custodialCustomerId ?? Object(account).customerID;
  return { account: { ...Object(account), customerID } };
});

/** A shareholder who gets DISABLED keeps the details that it had. */
const disabledDetails: ChangeOptions = withTables(shareHolder, ({ shareHolders }, payload) => ({
  shareHolders: {
    ...shareHolders,
    async replace(changed) {
      const stored = await shareHolders.find(changed.institutionId, changed.id);
      const isLost = payload["Status"] === "DISABLED" && stored !== undefined;
      await shareHolders.replace(isLost ? { ...stored, status: "DISABLED" } : changed);
    },
  },
}));

/** The former subscription of the same callback address receives nothing more. */
function subscriptionsReplaced(): ChangeOptions {
  const latest = new Map<string, string>();
  return withTables(subscribe, ({ subscriptions }: Collections) => ({
    subscriptions: {
      ...subscriptions,
      async insert(record) {
        const { institutionId, callbackUrl, id } = record;
        const former = latest.get(callbackUrl);
        const stored = former === undefined ? undefined : await subscriptions.find(institutionId, former);
        if (stored !== undefined) await subscriptions.replace({ ...stored, enabled: false });
        latest.set(callbackUrl, id);
        await subscriptions.insert(record);
      },
    },
  }));
}

/** The stored subscription is changed; the answer is as requested. */
const keptCallback = (change: (url: string) => string): ChangeOptions =>
  withTables(subscribe, ({ subscriptions }) => ({
    subscriptions: {
      ...subscriptions,
      insert: (record) => subscriptions.insert({ ...record, callbackUrl: change(record.callbackUrl) }),
    },
  }));

/** Lists the beneficiaries that the legal representative has on any account of the customer. */
const beneficiariesOfCustomer: ChangeOptions = withTables(listBeneficiary, ({ accounts, beneficiaries }) => ({
  beneficiaries: {
    ...beneficiaries,
    async list(institutionId, accountId, legalRepId, limit) {
      const account = await accounts.find(institutionId, accountId);
      const customerIds = account === undefined ? [] : [account.customerId];
      const siblings = await accounts.list({ institutionId, customerIds, offset: 0, limit: accountsMax });
      const lists = siblings.map((each) =>
        beneficiaries.list(institutionId, each.account.id, legalRepId, limit),
      );
      return (await Promise.all(lists)).flat().slice(0, limit);
    },
  },
}));

/** Every tenth account gets the number of the one before. */
function numbersRepeated(): ChangeOptions {
  let count = 0;
  let former = "";
  return withResult(addAccount, (result) => {
    count += 1;
    const accountNumber = count % 10 === 0 ? former : String(result["accountNumber"]);
    former = accountNumber;
    return { ...result, accountNumber };
  });
}

/** The two beneficiary operations are refused without a header `Signature`: their signature is spoiled. */
function headerSignatureAskedFor(pipeline: Pipeline): Pipeline {
  return {
    ...pipeline,
    answer(request) {
      const text = request.body.toString();
      const isAsked = /"method":\s*"AccountService\.(?:ListBeneficiary|GetBeneficiary)"/.test(text);
      if (!isAsked || request.header("signature") !== undefined) return pipeline.answer(request);
      return pipeline.answer({
        ...request,
        body: Buffer.from(text.replace(/("signature":\s*")[^"]*/, "$1AAAA")),
      });
    },
  };
}

/**
 * Faults of developers who misread the document: a wrong one of two fields, an example taken for a rule, a list that
 * counts too much. They were written and tried before the suite was changed for them
 * (docs/internals/fault-scores.md has the score).
 */
export const fifthRoundFaults: readonly Fault[] = [
  handlers("first-legal-rep-assigned", "Of several legal representatives only the first is assigned.", {
    options: withPayload(addAccount, ({ legalReps, ...payload }) =>
      legalReps === undefined ? payload : { ...payload, legalReps: listOf(legalReps).slice(0, 1) },
    ),
  }),
  encode("numbers-masked", "GetAccount shows the last four digits of a number alone.", {
    response: inResults([getAccount], (name, value) =>
      name === "number" && typeof value === "string" ? value.replaceAll(/\d(?=\d{4})/g, "*") : value,
    ),
  }),
  handlers("one-account-per-name", "A customer has one account of a name: another opening finds it.", {
    options: oneAccountPerName,
  }),
  handlers("custodian-owns-account", "GetAccount names the custodial customer as the owner.", {
    options: custodianOwns,
  }),
  handlers("customer-renamed-by-opening", "AddAccount gives the customer the name of the account.", {
    options: customerRenamed,
  }),
  handlers("disabled-details-ignored", "An update that disables a shareholder changes nothing else.", {
    options: (options) =>
      withResult(shareHolder, async (result, payload, { caller, store }) => {
        const stored = await store.one(shareHolderById, caller.institutionId, String(payload["Id"]));
        return { ...result, Name: stored?.name, EmailID: stored?.contact.email };
      })(disabledDetails(options)),
  }),
  handlers("legal-rep-change-not-dated", "UpdateLegalRepStatus leaves updatedDate as it was.", {
    options: withHandler(legalRepStatus, (sound) => async (payload, context) => {
      const { caller, store } = context;
      const stored = await store.one(legalRepById, caller.institutionId, String(payload["ID"]));
      const result = { ...(await sound(payload, context)) };
      const changed = await store.one(legalRepById, caller.institutionId, String(payload["ID"]));
      if (stored === undefined || changed === undefined) return result;
      await store.replace(legalRepsTable, { ...changed, updatedAt: stored.updatedAt });
      return { ...result, updatedDate: new Date(stored.updatedAt).toISOString() };
    }),
  }),
  handlers("empty-filter-finds-nothing", "An empty filter finds no account.", {
    options: withResult(listAccounts, (result, payload) =>
      payload["filter"] === "" ? { ...result, accounts: [] } : result,
    ),
  }),
  handlers("page-size-needs-page", "PageSize counts only beside PageNumber.", {
    options: withPayload(listAccounts, ({ PageSize, ...payload }) =>
      PageSize === undefined || payload["PageNumber"] === undefined
        ? { ...payload, ...(PageSize !== undefined && { PageSize: 15 }) }
        : { ...payload, PageSize },
    ),
  }),
  events("first-of-group-told", "A subscription is to the first account of groupId alone.", {
    options: withPayload(subscribe, (payload) => ({
      ...payload,
      groupId: listOf(payload["groupId"]).slice(0, 1),
    })),
  }),
  events("first-kind-told", "A subscription is to the first of its kinds of events alone.", {
    options: withPayload(subscribe, (payload) => ({
      ...payload,
      events: listOf(payload["events"]).slice(0, 1),
    })),
  }),
  events("subscription-replaced", "A subscription ends the former one of the same callback address.", {
    options: subscriptionsReplaced(),
  }),
  events("callback-path-in-lower-case", "Notifications go to the callback address in lower case.", {
    options: keptCallback((url) =>
      url.replace(
        /^(\w+:\/\/[^/]*)([^?]*)/,
        (_all, origin: string, path: string) => origin + path.toLowerCase(),
      ),
    ),
  }),
  authenticate("header-signature-asked-for", "Beneficiaries are refused without a header Signature.", {
    pipeline: headerSignatureAskedFor,
  }),
  encode("projection-in-whole-units", "A monthly projection loses its cents.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "amount" && typeof value === "number" ? Math.trunc(value) : value,
    ),
  }),
  encode("plus-is-blank", "Every + of a text is answered as a blank.", {
    response: inResults("all", (_name, value) =>
      typeof value === "string" ? value.replaceAll("+", " ") : value,
    ),
  }),
  encode("established-since-1970", "A business established before 1970 is answered as of 1970.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "dateEstablished" && String(value) < "19700101" ? "19700101" : value,
    ),
  }),
  handlers("beneficiaries-of-customer", "ListBeneficiary lists those of all accounts of the customer.", {
    options: beneficiariesOfCustomer,
  }),
  handlers("status-resets-category", "Another status takes the category of an account away.", {
    options: withTables(setStatus, ({ accounts }) => ({
      accounts: {
        ...accounts,
        replace: ({ category: _category, ...changed }) => accounts.replace({ ...changed, category: "" }),
      },
    })),
  }),
  decode("ids-cut-at-64", "Of the id of a request 64 characters are echoed.", {
    pipeline: withMembers((members: Payload) => {
      const { id } = members;
      return typeof id === "string" && id.length > requestIdMax
        ? { ...members, id: id.slice(0, requestIdMax) }
        : members;
    }),
  }),
  validate("zip-of-five-digits", "UpdateShareHolder takes postal codes of five digits alone.", {
    options: withHandler(shareHolder, (sound) => async (payload, context) => {
      const { zip } = Object(payload["address"]);
      if (!/^\d{5}$/.test(String(zip))) throw context.error("BAD_INPUT", { field: "/address/zip" });
      return sound(payload, context);
    }),
  }),
  handlers("numbers-repeat", "Every tenth new account is answered with the number of the one before.", {
    options: numbersRepeated(),
  }),
];
