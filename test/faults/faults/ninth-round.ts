import { deliveredFrom } from "../changes/events.ts";
import { withHandler, withResult, type Payload } from "../changes/handlers.ts";
import { currentPayload, currentRequest } from "../current-request.ts";
import { faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { accountById, legalRepById } from "../../../ledger/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const addAccount = "CustomerService.AddAccount";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const legalRepStatus = "CustomerService.UpdateLegalRepStatus";
const openedMax = 3;

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const events = faultOf("events");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A new account is answered with another number. */
const openedWithNumber = (numberOf: (number: string, payload: Payload) => unknown): ChangeOptions =>
  withResult(addAccount, (result, payload) => ({
    ...result,
    accountNumber: numberOf(String(result["accountNumber"]), payload),
  }));

/** Accounts under a pool are not listed. */
const subAccountsLeftOut: ChangeOptions = withHandler(listAccounts, (sound) => async (payload, context) => {
  const result: Payload = { ...(await sound(payload, context)) };
  const { caller, store } = context;
  const rows = listOf(result["accounts"]).map(async (item) => {
    const stored = await store.one(accountById, caller.institutionId, String(Object(item).id));
    return stored?.parentId === undefined ? [item] : [];
  });
  return { ...result, accounts: (await Promise.all(rows)).flat() };
});

/** The account that was opened last is not listed before another one is opened. */
function listedWithTheNext(): ChangeOptions {
  let latest: unknown;
  return (options) =>
    withResult(listAccounts, (result) => ({
      ...result,
      accounts: listOf(result["accounts"]).filter((item) => Object(item).id !== latest),
    }))(
      withResult(addAccount, (result) => {
        latest = result["ID"];
        return result;
      })(options),
    );
}

/** A customer has three accounts at most. */
function threeAccounts(): ChangeOptions {
  const opened = new Map<unknown, number>();
  return withHandler(addAccount, (sound) => (payload, context) => {
    const { customerID } = payload;
    const count = (opened.get(customerID) ?? 0) + 1;
    if (count > openedMax) throw context.error("BAD_INPUT", { field: "/customerID" });
    opened.set(customerID, count);
    return sound(payload, context);
  });
}

/** GetAccount answers an id that it has seen with the account that was asked for then. */
function readOnceForId(): ChangeOptions {
  const results = new Map<unknown, object>();
  return withHandler(getAccount, (sound) => async (payload, context) => {
    const { id } = currentRequest().json;
    const result = results.get(id) ?? (await sound(payload, context));
    results.set(id, result);
    return result;
  });
}

/** A subscription ends with its first notification. */
function subscribedOnce(): NonNullable<Fault["delivery"]> {
  const served = new Set<string>();
  return deliveredFrom({
    reading: ({ subscriptions }) => ({
      subscriptions: {
        ...subscriptions,
        async find(institutionId, id) {
          const found = await subscriptions.find(institutionId, id);
          return found && served.has(id) ? { ...found, events: [] } : found;
        },
      },
    }),
    writing: ({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        insertAll(records) {
          for (const { subscriptionId } of records) served.add(subscriptionId);
          return deliveries.insertAll(records);
        },
      },
    }),
  });
}

/** As a column of single precision keeps an amount, shown with two digits. */
const inSinglePrecision = (value: unknown): unknown =>
  typeof value === "number" ? Math.round(Math.fround(value) * 100) / 100 : value;

const inTitleCase = (text: string): string =>
  text.replace(/\S+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());

const percentDecoded = (text: string): string =>
  text.replace(/%([2-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * Faults written from the document alone, before the suite was changed for them, of a new kind: right for one call
 * and wrong beside another. Each breaks a line of the document.
 */
export const ninthRoundFaults: readonly Fault[] = [
  events("subscribed-once", "A subscription ends with its first notification.", {
    delivery: subscribedOnce(),
  }),
  handlers("opened-in-groups", "AddAccount answers the number in groups of four, other operations do not.", {
    options: openedWithNumber((number) => number.replace(/(\d{4})(?=\d)/g, "$1 ")),
  }),
  handlers("sub-accounts-not-listed", "ListAccounts leaves out accounts under a pool.", {
    options: subAccountsLeftOut,
  }),
  handlers("opened-as-the-pool", "An account under a pool is answered with the number of the pool.", {
    options: openedWithNumber((number, { activityAccountNumber }) => activityAccountNumber ?? number),
  }),
  handlers("page-of-the-example-ignored", "ListAccounts passes over pageNumber, as the example writes it.", {
    options: withHandler(
      listAccounts,
      (sound) =>
        ({ PageNumber, ...payload }, context) =>
          sound("pageNumber" in currentPayload() ? payload : { ...payload, PageNumber }, context),
    ),
  }),
  handlers("present-status-refused", "UpdateLegalRepStatus refuses the status that is there already.", {
    options: withHandler(legalRepStatus, (sound) => async (payload, context) => {
      const stored = await context.store.one(
        legalRepById,
        context.caller.institutionId,
        String(payload["ID"]),
      );
      if (stored?.status === payload["Status"]) throw context.error("BAD_INPUT", { field: "/Status" });
      return sound(payload, context);
    }),
  }),
  handlers("three-accounts", "AddAccount refuses the fourth account of a customer.", {
    options: threeAccounts(),
  }),
  encode("shareholder-in-title-case", "UpdateShareHolder answers a name with one capital a word.", {
    response: inResults([shareHolder], (name, value) =>
      name === "Name" && typeof value === "string" ? inTitleCase(value) : value,
    ),
  }),
  encode("percent-decoded", "Texts that look like parts of an address are decoded: %41 is answered as A.", {
    response: inResults("all", (_name, value) => (typeof value === "string" ? percentDecoded(value) : value)),
  }),
  handlers("listed-with-the-next", "A new account is listed only once another one was opened.", {
    options: listedWithTheNext(),
  }),
  encode("projection-in-single-precision", "A monthly projection beyond 16,777,216 is kept inexactly.", {
    response: inResults([updateCustomer], (name, value) =>
      name === "amount" ? inSinglePrecision(value) : value,
    ),
  }),
  handlers("read-once-for-an-id", "GetAccount answers an id it has seen with the account of then.", {
    options: readOnceForId(),
  }),
];
