import { withHandler, withPayload, withResult, withTables, type Payload } from "../changes/handlers.ts";
import { each, faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { accountByNumber, accountById, accounts as accountsTable } from "../../../ledger/tables/index.ts";
import { accountPage } from "../../../ledger/books/listing/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setCategory = "AccountService.UpdateAccountCategory";
const addAccount = "CustomerService.AddAccount";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const legalRepStatus = "CustomerService.UpdateLegalRepStatus";
const byReference = "TransactionService.GetTransactionsByRef";
const subscribe = "CreateSubscription";
const listedMax = 1_000;
const integerMax = 2 ** 31 - 1;
const dayMs = 86_400_000;

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const validate = faultOf("validate");
const events = faultOf("events");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The items of a list are changed. */
const listed = (change: (item: Payload) => object): ChangeOptions =>
  withResult(listAccounts, (result) => ({
    ...result,
    accounts: listOf(result["accounts"]).map((item) => change({ ...Object(item) })),
  }));

/** A payload is refused that fits the operation. */
const refused = (method: string, field: string, isRefused: (payload: Payload) => boolean): ChangeOptions =>
  withHandler(method, (sound) => (payload, context) => {
    if (isRefused(payload)) throw context.error("BAD_INPUT", { field });
    return sound(payload, context);
  });

/** ListAccounts shows what an account was opened with. */
function listedAsOpened(): ChangeOptions {
  const statuses = new Map<unknown, unknown>();
  return each(
    withResult(addAccount, (result) => {
      statuses.set(result["ID"], result["status"]);
      return result;
    }),
    listed((item) => ({ ...item, status: statuses.get(item["id"]) ?? item["status"] })),
  );
}

/** ListAccounts shows the category that an account had first. */
function listedInFirstCategory(): ChangeOptions {
  const categories = new Map<unknown, unknown>();
  return each(
    withHandler(setCategory, (sound) => async (payload, context) => {
      const number = String(payload["AccountNumber"]);
      const stored = await context.store.one(accountByNumber, context.caller.institutionId, number);
      if (stored !== undefined && !categories.has(number)) categories.set(number, stored.category);
      return sound(payload, context);
    }),
    listed((item) => ({
      ...item,
      accountCategory: categories.get(item["number"]) ?? item["accountCategory"],
    })),
  );
}

/** A subscription to an account is one to all accounts of its customer. */
const subscribedToCustomer: ChangeOptions = withHandler(subscribe, (sound) => async (payload, context) => {
  const { caller, store } = context;
  const { institutionId } = caller;
  const named = listOf(payload["groupId"]).map((number) =>
    store.one(accountByNumber, institutionId, String(number)),
  );
  const customerIds = (await Promise.all(named)).flatMap((account) => account?.customerId ?? []);
  const query = { institutionId, customerIds, offset: 0, limit: listedMax };
  const siblings = customerIds.length === 0 ? [] : await store.page(accountPage(query));
  const numbers = [...listOf(payload["groupId"]), ...siblings.map(({ account }) => account.number)];
  return sound({ ...payload, groupId: [...new Set(numbers)].slice(0, listedMax) }, context);
});

/** An account with several legal representatives is listed once for each of them. */
const listedPerLegalRep: ChangeOptions = withHandler(listAccounts, (sound) => async (payload, context) => {
  const result: Payload = { ...(await sound(payload, context)) };
  const { caller, store } = context;
  const rows = listOf(result["accounts"]).map(async (item) => {
    const stored = await store.one(accountById, caller.institutionId, String(Object(item).id));
    return Array.from({ length: Math.max(1, stored?.legalRepIds.length ?? 1) }, () => item);
  });
  return { ...result, accounts: (await Promise.all(rows)).flat() };
});

/** A transaction is found by the beginning of its reference. */
const foundByPrefix: ChangeOptions = withTables(byReference, ({ accounts, transactions }) => ({
  transactions: {
    ...transactions,
    async findByReference(institutionId, reference) {
      const found = await transactions.findByReference(institutionId, reference);
      if (found !== undefined) return found;
      for (const { account } of await accounts.list({ institutionId, offset: 0, limit: listedMax })) {
        const query = { institutionId, accountId: account.id, offset: 0, limit: listedMax };
        const among = await transactions.list(query);
        const begins = among.find(({ referenceId }) => referenceId.startsWith(reference));
        if (begins !== undefined) return begins;
      }
      return undefined;
    },
  },
}));

/** Another category of one account is one of all accounts of its customer. */
const categoryOfSiblings: ChangeOptions = withHandler(setCategory, (sound) => async (payload, context) => {
  const result = await sound(payload, context);
  const { caller, store } = context;
  const { institutionId } = caller;
  const changed = await store.one(accountByNumber, institutionId, String(payload["AccountNumber"]));
  if (changed === undefined) return result;
  const query = { institutionId, customerIds: [changed.customerId], offset: 0, limit: listedMax };
  for (const { account } of await store.page(accountPage(query))) {
    const stored = await store.one(accountById, institutionId, account.id);
    if (stored !== undefined) await store.replace(accountsTable, { ...stored, category: changed.category });
  }
  return result;
});

const dayBefore = (date: string): string => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  const before = new Date(Date.parse(`${year}-${month}-${day}T00:00:00Z`) - dayMs);
  return before.toISOString().slice(0, 10).replaceAll("-", "");
};

/** Faults written from the document alone, before the suite was looked at for them: each breaks a line of it. */
export const seventhRoundFaults: readonly Fault[] = [
  handlers("listed-status-as-opened", "ListAccounts shows the status that an account was opened with.", {
    options: listedAsOpened(),
  }),
  handlers("listed-in-first-category", "ListAccounts shows the category that an account had first.", {
    options: listedInFirstCategory(),
  }),
  encode("legal-rep-created-now", "UpdateLegalRepStatus answers its own time as createdDate.", {
    response: inResults([legalRepStatus], (name, value) =>
      name === "createdDate" ? new Date().toISOString() : value,
    ),
  }),
  events("subscribed-to-customer", "A subscription to an account is one to all accounts of its customer.", {
    options: subscribedToCustomer,
  }),
  handlers("size-of-one-ignored", "A page of one account has the standard size.", {
    options: withPayload(listAccounts, (payload) =>
      payload["PageSize"] === 1 ? { ...payload, PageSize: 15 } : payload,
    ),
  }),
  validate("page-number-needs-size", "PageNumber without PageSize is refused.", {
    options: refused(
      listAccounts,
      "/PageSize",
      ({ PageNumber, PageSize }) => PageNumber !== undefined && PageSize === undefined,
    ),
  }),
  validate("empty-filter-alone-refused", "An empty filter without a page is refused.", {
    options: refused(
      listAccounts,
      "/filter",
      ({ PageNumber, PageSize, filter }) =>
        filter === "" && PageNumber === undefined && PageSize === undefined,
    ),
  }),
  validate("leap-days-refused", "No business is established, and nobody born, on 29 February.", {
    options: each(
      refused(updateCustomer, "/dateEstablished", ({ dateEstablished }) =>
        String(dateEstablished).endsWith("0229"),
      ),
      refused(shareHolder, "/DOB", ({ DOB }) => String(DOB).endsWith("0229")),
    ),
  }),
  validate("contact-needs-both", "UpdateCustomer takes a contact with both members alone.", {
    options: refused(updateCustomer, "/contact", ({ contact }) => {
      const { email, phoneNumber } = Object(contact);
      return contact !== undefined && (email === undefined || phoneNumber === undefined);
    }),
  }),
  handlers("listed-per-legal-rep", "An account is listed once for each of its legal representatives.", {
    options: listedPerLegalRep,
  }),
  handlers("found-by-prefix", "GetTransactionsByRef takes the beginning of a reference.", {
    options: foundByPrefix,
  }),
  encode("empty-page-without-risk", "An empty page has no riskScore.", {
    response: ({ json, method, isError }) => {
      const { result } = Object(json);
      if (isError || method !== listAccounts || listOf(Object(result).accounts).length > 0) return json;
      const { riskScore: _lost, ...rest } = Object(result);
      return { ...Object(json), result: rest };
    },
  }),
  encode("projection-overflows", "A monthly projection beyond 2,147,483,647 overflows.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "amount" && typeof value === "number" && value > integerMax ? Math.trunc(value) | 0 : value,
    ),
  }),
  encode("established-a-day-earlier", "UpdateCustomer answers the day before the date of establishment.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "dateEstablished" && typeof value === "string" ? dayBefore(value) : value,
    ),
  }),
  encode("created-at-midnight", "An account was created at the beginning of its day.", {
    response: inResults([getAccount, listAccounts], (name, value) =>
      name === "createdDate" && typeof value === "string" ? `${value.slice(0, 10)}T00:00:00.000Z` : value,
    ),
  }),
  encode("curtailed-reads-suspended", "GetAccount shows CURTAILED as SUSPENDED.", {
    response: inResults([getAccount], (name, value) =>
      name === "status" && value === "CURTAILED" ? "SUSPENDED" : value,
    ),
  }),
  encode("opened-answered-created", "AddAccount answers CREATED where the account is ACTIVE.", {
    response: inResults([addAccount], (name, value) => (name === "status" ? "CREATED" : value)),
  }),
  encode("confirmation-empty", "UpdateAccountCategory confirms with an empty text.", {
    response: inResults([setCategory], (name, value) => (name === "Message" ? "" : value)),
  }),
  encode("email-in-lower-case", "UpdateShareHolder answers an e-mail address in lower case.", {
    response: inResults([shareHolder], (name, value) =>
      name === "EmailID" && typeof value === "string" ? value.toLowerCase() : value,
    ),
  }),
  handlers("category-of-siblings", "UpdateAccountCategory changes every account of the customer.", {
    options: categoryOfSiblings,
  }),
];
