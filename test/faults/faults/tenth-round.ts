import type { Pipeline } from "../../../runtime/pipeline/index.ts";
import { deliveredFrom } from "../changes/events.ts";
import { withContext, withHandler, withResult, withTables } from "../changes/handlers.ts";
import { faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { accountByNumber } from "../../../ledger/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setStatus = "AccountService.UpdateAccountStatus";
const setCategory = "AccountService.UpdateAccountCategory";
const addAccount = "CustomerService.AddAccount";
const accountsMax = 1_000;

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const events = faultOf("events");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Every text of every result is changed. */
const inTexts = (change: (text: string) => string | null): NonNullable<Fault["response"]> =>
  inResults("all", (_name, value) => (typeof value === "string" ? change(value) : value));

/** Items of ListAccounts are changed. */
const listed = (change: (item: Readonly<Record<string, unknown>>) => object): ChangeOptions =>
  withResult(listAccounts, (result) => ({
    ...result,
    accounts: listOf(result["accounts"]).map((item) => change({ ...Object(item) })),
  }));

/** GetAccount shows the legal representatives of all accounts of the customer. */
const legalRepsOfCustomer: ChangeOptions = withTables(getAccount, ({ accounts }) => ({
  accounts: {
    ...accounts,
    async find(institutionId, id) {
      const found = await accounts.find(institutionId, id);
      if (found === undefined) return undefined;
      const query = { institutionId, customerIds: [found.customerId], offset: 0, limit: accountsMax };
      const siblings = (await accounts.list(query)).map(({ account }) =>
        accounts.find(institutionId, account.id),
      );
      const others = (await Promise.all(siblings)).flatMap((sibling) => sibling?.legalRepIds ?? []);
      return { ...found, legalRepIds: [...new Set([...found.legalRepIds, ...others])] };
    },
  },
}));

/** An account under a pool is opened with the type of the pool. */
const typeOfThePool: ChangeOptions = withHandler(addAccount, (sound) => async (payload, context) => {
  const { caller, store } = context;
  const number = payload["activityAccountNumber"];
  if (typeof number !== "string" || payload["accountType"] === "CUSTODIAL") return sound(payload, context);
  const pool = await store.one(accountByNumber, caller.institutionId, number);
  return sound(pool === undefined ? payload : { ...payload, accountType: pool.type }, context);
});

/** A status that is set while a category of the same account is being set is answered, and not kept. */
function statusLostBesideCategory(): Pick<Fault, "options" | "pipeline"> {
  const underWay = new Map<unknown, number>();
  const counted = (number: unknown, by: number): void => {
    underWay.set(number, (underWay.get(number) ?? 0) + by);
  };
  const pipeline = (sound: Pipeline): Pipeline => ({
    ...sound,
    async answer(request) {
      const text = request.body.toString();
      const number = text.includes(setCategory) ? /"AccountNumber":\s*"([^"]*)"/.exec(text)?.[1] : undefined;
      if (number === undefined) return sound.answer(request);
      counted(number, 1);
      try {
        return await sound.answer(request);
      } finally {
        counted(number, -1);
      }
    },
  });
  const options = withTables(setStatus, ({ accounts }, { accountNumber }) => ({
    accounts: {
      ...accounts,
      async replace(changed, before) {
        const former = await accounts.find(changed.institutionId, changed.id);
        const isLost = former !== undefined && (underWay.get(accountNumber) ?? 0) > 0;
        await accounts.replace(isLost ? { ...changed, status: former.status } : changed, before);
      },
    },
  }));
  return { options, pipeline };
}

/** Only the newest subscription to an account receives anything. */
const newestSubscriptionAlone = deliveredFrom({
  reading: ({ subscriptionTopics }) => ({
    subscriptionTopics: {
      ...subscriptionTopics,
      inLane: async (...parts) => (await subscriptionTopics.inLane(...parts)).slice(-1),
    },
  }),
});

/**
 * Faults written from the document alone, before the suite was looked at for them; their author knew the descriptions of
 * the other faults. Each breaks a line of the document.
 */
export const tenthRoundFaults: readonly Fault[] = [
  encode("null-for-empty-text", "A text that is empty is answered as null.", {
    response: inTexts((text) => (text === "" ? null : text)),
  }),
  encode("texts-composed", "Texts are answered in Unicode form NFC, however they were given.", {
    response: inTexts((text) => text.normalize("NFC")),
  }),
  handlers("listed-code-of-letters", "ListAccounts shows the currency in letters as currencyCode.", {
    options: listed((item) => ({ ...item, currencyCode: item["currency"] })),
  }),
  handlers(
    "legal-reps-of-customer",
    "GetAccount shows the legal representatives of the customer's accounts.",
    {
      options: legalRepsOfCustomer,
    },
  ),
  handlers("type-of-the-pool", "An account under a pool is opened with the type of the pool.", {
    options: typeOfThePool,
  }),
  handlers("money-market-listed-as-savings", "ListAccounts shows MONEY_MARKET as SAVINGS.", {
    options: listed((item) => ({
      ...item,
      accountType: item["accountType"] === "MONEY_MARKET" ? "SAVINGS" : item["accountType"],
    })),
  }),
  handlers("listed-as-never-updated", "ListAccounts shows createdDate as updatedDate.", {
    options: listed((item) => ({ ...item, updatedDate: item["createdDate"] })),
  }),
  handlers(
    "status-lost-beside-category",
    "A status that is set while a category is being set is answered and not kept.",
    statusLostBesideCategory(),
  ),
  events("return-to-active-not-told", "A change of status to ACTIVE is not announced.", {
    options: withContext(setStatus, ({ events: sound }, { status }) =>
      status === "ACTIVE" ? { events: { ...sound, record: () => Promise.resolve() } } : {},
    ),
  }),
  events("newest-subscription-alone", "Of the subscriptions to an account only the newest receives events.", {
    delivery: newestSubscriptionAlone,
  }),
];
