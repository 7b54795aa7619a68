import { collectionsOf, withCollections, type Collections } from "../changes/collections.ts";
import type { LegalRepRecord } from "../../../ledger/domain/records/parties.ts";
import type { Pipeline } from "../../../runtime/pipeline/index.ts";
import { withContext, withHandler, withTables } from "../changes/handlers.ts";
import { each, faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { accountByNumber, accountById, accounts as accountsTable } from "../../../ledger/tables/index.ts";
import { accountPage } from "../../../ledger/books/listing/index.ts";
import { subscriptions } from "../../../runtime/store/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setStatus = "AccountService.UpdateAccountStatus";
const addAccount = "CustomerService.AddAccount";
const listedMax = 100;
const accountsMax = 1_000;
const hourMs = 3_600_000;

/** An opening whose copy arrives while it is being answered: the copy opens an account of its own. */
function openingTwice(pipeline: Pipeline): Pipeline {
  const answering = new Set<string>();
  let copies = 0;
  return {
    ...pipeline,
    async answer(request) {
      const text = request.body.toString();
      if (!text.includes(addAccount)) return pipeline.answer(request);
      if (!answering.has(text)) {
        answering.add(text);
        return pipeline.answer(request).finally(() => answering.delete(text));
      }
      copies += 1;
      const own = text.replace(/("id":\s*")([^"]*")/, `$1${copies}-$2`);
      const response = await pipeline.answer({ ...request, body: Buffer.from(own) });
      return { ...response, body: response.body.replace(`"id":"${copies}-`, '"id":"') };
    },
  };
}

/** ListAccounts selects of each page what its filter asks for. */
const filterAfterPaging: ChangeOptions = withTables(listAccounts, ({ accounts }) => ({
  accounts: {
    ...accounts,
    async list(query) {
      const { condition, ...everything } = query;
      if (condition === undefined) return accounts.list(query);
      const selected = await accounts.list({ ...query, offset: 0, limit: accountsMax });
      const ids = new Set(selected.map(({ account }) => account.id));
      return (await accounts.list(everything)).filter(({ account }) => ids.has(account.id));
    },
  },
}));

/** Legal representatives as they were when an account was opened with them, or read. */
function rememberingLegalReps(): ChangeOptions {
  const known = new Map<string, LegalRepRecord>();
  const remembered = (found: LegalRepRecord): LegalRepRecord => {
    const first = known.get(found.id) ?? found;
    known.set(found.id, first);
    return first;
  };
  const watched = ({ legalReps }: Collections): Partial<Collections> => ({
    legalReps: {
      ...legalReps,
      async find(...key) {
        const found = await legalReps.find(...key);
        return found && remembered(found);
      },
      findMany: async (...keys) => (await legalReps.findMany(...keys)).map(remembered),
    },
  });
  return each(withTables(addAccount, watched), withTables(getAccount, watched));
}

/** The status of one account becomes that of all accounts of its customer. */
const statusOfSiblings: ChangeOptions = withHandler(setStatus, (sound) => async (payload, context) => {
  const result = await sound(payload, context);
  const { caller, store } = context;
  const { institutionId } = caller;
  const changed = await store.one(accountByNumber, institutionId, String(payload["accountNumber"]));
  if (changed === undefined) return result;
  const query = { institutionId, customerIds: [changed.customerId], offset: 0, limit: accountsMax };
  for (const { account: listed } of await store.page(accountPage(query))) {
    const account = await store.one(accountById, institutionId, listed.id);
    if (account !== undefined) await store.replace(accountsTable, { ...account, status: changed.status });
  }
  return result;
});

const encode = faultOf("encode");
const handlers = faultOf("handlers");

/**
 * Ten faults of new kinds: simultaneous copies of a call, signs, ends of long lists, filters with pages, neighbouring
 * records. Then digits in strings, the clock, addresses, and letter case. They were written and tried before the
 * suite was changed for them (docs/internals/fault-scores.md has the score).
 */
export const fourthRoundFaults: readonly Fault[] = [
  handlers("copy-opens-another", "A copy that arrives while AddAccount is answered opens another account.", {
    pipeline: openingTwice,
  }),
  encode("overdrawn-without-sign", "Balances below zero lose their sign.", {
    response: inResults("all", (_name, value) => (typeof value === "number" ? Math.abs(value) : value)),
  }),
  handlers("list-ends-at-hundred", "ListAccounts lists the oldest hundred accounts alone.", {
    options: withTables(listAccounts, ({ accounts }) => ({
      accounts: {
        ...accounts,
        async list(query) {
          const left = Math.max(0, listedMax - query.offset);
          return left === 0 ? [] : accounts.list({ ...query, limit: Math.min(left, query.limit) });
        },
      },
    })),
  }),
  handlers("filter-after-paging", "A filter selects from a page, so that pages have gaps.", {
    options: filterAfterPaging,
  }),
  handlers("legal-rep-as-on-opening", "GetAccount shows legal representatives as they once were.", {
    options: rememberingLegalReps(),
  }),
  handlers("status-of-siblings", "UpdateAccountStatus changes every account of the customer.", {
    options: statusOfSiblings,
  }),
  encode("zip-without-leading-zeros", "Postal codes lose their leading zeros.", {
    response: inResults("all", (name, value) =>
      name === "zip" && typeof value === "string" ? value.replace(/^0+(?=.)/, "") : value,
    ),
  }),
  encode("times-an-hour-ahead", "Times are written as the hour of another zone, with Z.", {
    response: inResults("all", (_name, value) =>
      typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
        ? new Date(Date.parse(value) + hourMs).toISOString()
        : value,
    ),
  }),
  handlers("callback-query-lost", "Notifications go to the callback address without its query.", {
    options: withContext("CreateSubscription", ({ store }) => ({
      store: withCollections(store, {
        subscriptions: {
          ...collectionsOf(store).subscriptions,
          insert: (record) =>
            store.insert(subscriptions, {
              ...record,
              callbackUrl: record.callbackUrl.replace(/\?.*$/, ""),
            }),
        },
      }),
    })),
  }),
  handlers("identifier-ignores-case", "GetAccount finds an account by its identifier in lower case.", {
    options: withHandler(
      getAccount,
      (sound) => (payload, context) =>
        sound(payload, context).catch(() =>
          sound({ ...payload, ID: String(payload["ID"]).toUpperCase() }, context),
        ),
    ),
  }),
];
