import { withHandler, withPayload, withResult, type Payload } from "../changes/handlers.ts";
import { withValidator } from "../changes/methods.ts";
import { each, faultOf, inErrors, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { filtering } from "./storage.ts";
import { accountByNumber } from "../../../ledger/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setStatus = "AccountService.UpdateAccountStatus";
const addAccount = "CustomerService.AddAccount";
const updateCustomer = "CustomerService.UpdateCustomer";
const shareHolder = "CustomerService.UpdateShareHolder";
const longestText = 255;

const encode = faultOf("encode");
const handlers = faultOf("handlers");
const storage = faultOf("storage");
const validate = faultOf("validate");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const cut = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, longestText) : value);

/** Items of ListAccounts are changed, or left out. */
const listed = (change: (item: Payload) => object | undefined): ChangeOptions =>
  withResult(listAccounts, (result) => ({
    ...result,
    accounts: listOf(result["accounts"]).flatMap((item) => change({ ...Object(item) }) ?? []),
  }));

/** The account in a result of GetAccount is changed. */
const read = (change: (account: Payload) => object): ChangeOptions =>
  withResult(getAccount, (result) => ({ ...result, account: change({ ...Object(result["account"]) }) }));

interface Former {
  readonly status: unknown;
  readonly updatedDate: unknown;
  readonly changedAtMs: number;
}

/** From so many milliseconds after a change of status until so many, an account is seen with its former status. */
function formerStatus(from: number, to: number, ...seenBy: readonly ("lists" | "reads")[]): ChangeOptions {
  const changed = new Map<unknown, Former>();
  const remembering = withHandler(setStatus, (sound) => async (payload, context) => {
    const { caller, store } = context;
    const number = payload["accountNumber"];
    const before = await store.one(accountByNumber, caller.institutionId, String(number));
    const result = await sound(payload, context);
    if (before !== undefined)
      changed.set(number, {
        status: before.status,
        updatedDate: new Date(before.updatedAt).toISOString(),
        changedAtMs: Date.now(),
      });
    return result;
  });
  const asBefore = (item: Payload): Payload => {
    const former = changed.get(item["number"]);
    const age = former === undefined ? -1 : Date.now() - former.changedAtMs;
    if (former === undefined || age < from || age >= to) return item;
    return { ...item, status: former.status, updatedDate: former.updatedDate };
  };
  return each(
    remembering,
    ...(seenBy.includes("lists") ? [listed(asBefore)] : []),
    ...(seenBy.includes("reads") ? [read(asBefore)] : []),
  );
}

/** From so many milliseconds after an account was opened until so many, no list has it. */
function unlisted(from: number, to: number): ChangeOptions {
  const opened = new Map<unknown, number>();
  return each(
    withResult(addAccount, (result) => {
      opened.set(result["ID"], Date.now());
      return result;
    }),
    listed((item) => {
      const age = Date.now() - (opened.get(item["id"]) ?? -to);
      return age >= from && age < to ? undefined : item;
    }),
  );
}

/** The same list is answered again for so many milliseconds. */
function remembered(ms: number): ChangeOptions {
  const known = new Map<string, { readonly at: number; readonly result: object }>();
  return withHandler(listAccounts, (sound) => async (payload, context) => {
    const key = JSON.stringify([context.caller.userName, payload]);
    const found = known.get(key);
    if (found !== undefined && Date.now() - found.at < ms) return found.result;
    const result = await sound(payload, context);
    known.set(key, { at: Date.now(), result });
    return result;
  });
}

/** An account that was CLOSED once is closed for good. */
function closedForGood(): ChangeOptions {
  const closed = new Set<unknown>();
  return each(
    withHandler(setStatus, (sound) => async (payload, context) => {
      if (payload["status"] === "CLOSED") closed.add(payload["accountNumber"]);
      return sound(payload, context);
    }),
    read((account) => (closed.has(account["number"]) ? { ...account, isClosed: true } : account)),
  );
}

/** Numbers are taken for texts of their digits, at one operation or several. */
const numbersTaken = (...methods: readonly string[]): ChangeOptions =>
  each(
    ...methods.flatMap((method) => [
      withValidator(method, (errors, payload) =>
        errors.filter(
          ({ instancePath, keyword }) =>
            keyword !== "type" || typeof Object(payload)[instancePath.slice(1)] !== "number",
        ),
      ),
      withPayload(method, (payload) =>
        Object.fromEntries(
          Object.entries(payload).map(([name, value]) => [
            name,
            typeof value === "number" ? String(value) : value,
          ]),
        ),
      ),
    ]),
  );

/** `%` stands for any characters: the parts between are looked for alone. */
const likeIn = (op: "has" | "=" | "prefix") =>
  filtering((condition) => {
    if (condition.kind !== "text" || condition.op !== op || !/[%_]/.test(condition.value)) return condition;
    const { field } = condition;
    const parts = condition.value.split(/[%_]/).filter((part) => part !== "");
    return { kind: "and", terms: parts.map((value) => ({ kind: "text", field, op: "has", value })) };
  });

const authenticationCodes = new Set(["BAD_CREDENTIAL", "INVALID_SIGNATURE", "NOT_FOUND_USER_DEVICE"]);

/** Errors have another id: `undefined` removes it. */
const errorId =
  (change: (id: string) => unknown, isMeant: (code: unknown) => boolean): NonNullable<Fault["response"]> =>
  ({ json, isError }) => {
    const { id, error, ...rest } = Object(json);
    if (!isError || typeof id !== "string" || !isMeant(error?.code)) return json;
    const changed = change(id);
    return { ...rest, error, ...(changed === undefined ? {} : { id: changed }) };
  };

const isAuthentication = (code: unknown): boolean => authenticationCodes.has(String(code));

const message = (code: string, text: string): NonNullable<Fault["response"]> => {
  const changed = inErrors((name, value) =>
    name === "error" && Object(value).code === code ? { ...Object(value), message: text } : value,
  );
  return changed;
};

/** Breaches of the document that a run without an operator has to find. */
const ofDocument: readonly Fault[] = [
  handlers("closed-not-flagged", "isClosed is false of a CLOSED account.", {
    options: read((account) => ({ ...account, isClosed: false })),
  }),
  handlers("reopened-still-closed", "isClosed stays true of an account that is ACTIVE again.", {
    options: closedForGood(),
  }),
  handlers("listed-as-created-when-updated", "ListAccounts shows updatedDate as createdDate.", {
    options: listed((item) => ({ ...item, createdDate: item["updatedDate"] })),
  }),
  handlers("listed-to-the-second", "ListAccounts cuts times to the second.", {
    options: listed((item) => ({
      ...item,
      createdDate: String(item["createdDate"]).replace(/\.\d+Z$/, ".000Z"),
      updatedDate: String(item["updatedDate"]).replace(/\.\d+Z$/, ".000Z"),
    })),
  }),
  handlers("listed-as-updated-now", "ListAccounts shows the present time as updatedDate.", {
    options: listed((item) => ({ ...item, updatedDate: new Date().toISOString() })),
  }),
  validate("numbers-taken-by-add-account", "AddAccount takes numbers for texts.", {
    options: numbersTaken(addAccount),
  }),
  validate("numbers-taken-by-updates", "Updates of customers and shareholders take numbers for texts.", {
    options: numbersTaken(updateCustomer, shareHolder),
  }),
  encode("other-words-for-no-account", "NOT_FOUND_ACCOUNT has another text.", {
    response: message("NOT_FOUND_ACCOUNT", "Account not found"),
  }),
  encode("other-words-for-no-transaction", "NOT_FOUND_TRANSACTION has another text.", {
    response: message("NOT_FOUND_TRANSACTION", "Transaction not found"),
  }),
  encode("other-words-for-signature", "INVALID_SIGNATURE has another text.", {
    response: message("INVALID_SIGNATURE", "Signature verification failed"),
  }),
  encode("error-id-in-capitals", "Errors carry the id in capitals.", {
    response: errorId(
      (id) => `${id.toUpperCase()}-`,
      () => true,
    ),
  }),
  encode("not-found-id-of-its-own", "NOT_FOUND_ACCOUNT carries an id that nobody sent.", {
    response: errorId(
      () => "0",
      (code) => code === "NOT_FOUND_ACCOUNT",
    ),
  }),
  handlers(
    "closed-record-not-dated",
    "A record that is read has no later updatedDate than when it was opened.",
    {
      options: read((account) => ({ ...account, updatedDate: account["createdDate"] })),
    },
  ),
  storage("status-back-after-two-seconds", "Two seconds after a change reads show the former status.", {
    options: formerStatus(2_000, Infinity, "reads"),
  }),
];

/** Breaches of decisions, half of them visible only in time. */
const ofDecisions: readonly Fault[] = [
  encode("authentication-id-null", "Errors of authentication carry the id null.", {
    response: errorId(() => null, isAuthentication),
  }),
  encode("authentication-id-lost", "Errors of authentication carry no id.", {
    response: errorId(() => undefined, isAuthentication),
  }),
  handlers("like-in-has", "% and _ are wildcards in comparisons with :.", likeIn("has")),
  handlers("like-in-equal", "% and _ are wildcards in comparisons with =.", likeIn("=")),
  handlers("like-in-prefix", "% and _ are wildcards before a trailing *.", likeIn("prefix")),
  handlers("lists-remembered-for-half-a-second", "The same list is answered again for half a second.", {
    options: remembered(500),
  }),
  handlers("lists-remembered-for-three-seconds", "The same list is answered again for three seconds.", {
    options: remembered(3_000),
  }),
  handlers("lists-stale-for-half-a-second", "Lists show the former status for half a second.", {
    options: formerStatus(0, 500, "lists"),
  }),
  handlers("lists-stale-from-half-a-second", "From 0.5 to 3 s after a change lists show the former status.", {
    options: formerStatus(500, 3_000, "lists"),
  }),
  handlers("lists-stale-from-one-second", "From 1 to 2 s after a change lists show the former status.", {
    options: formerStatus(1_000, 2_000, "lists"),
  }),
  handlers("reads-stale-from-one-second", "From 1 to 2 s after a change reads show the former status.", {
    options: formerStatus(1_000, 2_000, "reads"),
  }),
  handlers(
    "lists-lose-changes-after-three-seconds",
    "Three seconds after a change lists show the former status.",
    {
      options: formerStatus(3_000, Infinity, "lists"),
    },
  ),
  handlers("unlisted-for-half-a-second", "A new account is listed half a second later.", {
    options: unlisted(0, 500),
  }),
  handlers("unlisted-from-half-a-second", "From 0.5 to 10 s after it was opened an account is in no list.", {
    options: unlisted(500, 10_000),
  }),
  handlers("account-names-of-255", "Names of accounts are cut at 255 characters.", {
    options: withPayload(addAccount, (payload) => ({ ...payload, name: cut(payload["name"]) })),
  }),
  handlers("listed-names-of-255", "Lists cut names at 255 characters.", {
    options: listed((item) => ({
      ...item,
      name: cut(item["name"]),
      customerName: cut(item["customerName"]),
    })),
  }),
  handlers("customer-names-of-255", "Names of customers are cut at 255 characters.", {
    options: withPayload(updateCustomer, (payload) => ({
      ...payload,
      businessNameLegal: cut(payload["businessNameLegal"]),
    })),
  }),
  handlers("descriptions-of-255", "Descriptions of customers are cut at 255 characters.", {
    options: withPayload(updateCustomer, (payload) => ({
      ...payload,
      ...("generalBusinessDescription" in payload && {
        generalBusinessDescription: cut(payload["generalBusinessDescription"]),
      }),
    })),
  }),
  handlers("shareholder-names-of-255", "Names of shareholders are cut at 255 characters.", {
    options: withPayload(shareHolder, (payload) => ({ ...payload, name: cut(payload["name"]) })),
  }),
  encode("status-answers-names-of-255", "UpdateAccountStatus answers names of 255 characters at most.", {
    response: inResults([setStatus], (name, value) => (name === "Name" ? cut(value) : value)),
  }),
  encode("customer-name-shown-of-255", "GetAccount shows names of customers of 255 characters at most.", {
    response: inResults([getAccount], (name, value) => (name === "customerName" ? cut(value) : value)),
  }),
];

/** Those that break the document, by their ids. */
export const eleventhRoundOfDocument: readonly string[] = ofDocument.map(({ id }) => id);

/**
 * Faults from requests after the tenth round: flags, dates and texts of the document, numbers for strings, and faults
 * that only time shows. They were tried before the suite was changed for them.
 */
export const eleventhRoundFaults: readonly Fault[] = [...ofDocument, ...ofDecisions];
