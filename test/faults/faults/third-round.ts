import { performance } from "node:perf_hooks";
import { RpcError } from "../../../runtime/contract/index.ts";
import type { Pipeline } from "../../../runtime/pipeline/index.ts";
import { withHandler, withResult, withTables, type Payload } from "../changes/handlers.ts";
import { eachMember, faultOf, inResults, type Fault } from "../fault.ts";
import { accountByNumber } from "../../../ledger/tables/index.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const setStatus = "AccountService.UpdateAccountStatus";
const addAccount = "CustomerService.AddAccount";
const updateCustomer = "CustomerService.UpdateCustomer";
const replicaLagMs = 400;
const mergedWithinMs = 100;

/** The body of each response is changed as text. */
function respondingWith(change: (body: string, sequence: number) => string): Pick<Fault, "pipeline"> {
  let count = 0;
  return {
    pipeline: (pipeline) => ({
      ...pipeline,
      async answer(request) {
        const response = await pipeline.answer(request);
        count += 1;
        return { ...response, body: change(response.body, count) };
      },
    }),
  };
}

/** While several requests are answered at once, each response has the id of the request that arrived last. */
function idsMixed(pipeline: Pipeline): Pipeline {
  let latest = "";
  return {
    ...pipeline,
    async answer(request) {
      latest = /"id":\s*("[^"]*")/.exec(request.body.toString())?.[1] ?? latest;
      const response = await pipeline.answer(request);
      await new Promise((resolve) => setImmediate(resolve));
      return { ...response, body: response.body.replace(/^\{"id":"[^"]*"/, () => `{"id":${latest}`) };
    },
  };
}

/** An opening that follows another one of the same customer within 100 ms gets the result of that one. */
function openingsMerged(pipeline: Pipeline): Pipeline {
  const opened = new Map<unknown, { readonly result: unknown; readonly atMs: number }>();
  return {
    ...pipeline,
    async answer(request) {
      const response = await pipeline.answer(request);
      const json: Payload = JSON.parse(response.body);
      const { customerID, accountNumber } = Object(json["result"]);
      if (response.trace.method !== addAccount || accountNumber === undefined) return response;
      const former = opened.get(customerID);
      if (former !== undefined && performance.now() - former.atMs < mergedWithinMs)
        return { ...response, body: JSON.stringify({ ...json, result: former.result }) };
      opened.set(customerID, { result: json["result"], atMs: performance.now() });
      return response;
    },
  };
}

/** The texts of all results are changed. */
function inTexts(
  methods: readonly string[] | "all",
  change: (text: string) => string,
): Pick<Fault, "response"> {
  return {
    response: inResults(methods, (_name, value) => (typeof value === "string" ? change(value) : value)),
  };
}

/** One member of results is changed. */
function inMember(
  methods: readonly string[] | "all",
  member: string,
  change: (value: unknown) => unknown,
): Pick<Fault, "response"> {
  return { response: inResults(methods, (name, value) => (name === member ? change(value) : value)) };
}

const account = (change: (account: Payload, payload: Payload) => object): Pick<Fault, "options"> => ({
  options: withResult(getAccount, (result, payload) => ({
    account: change({ ...Object(result["account"]) }, payload),
  })),
});

const transport = faultOf("transport");
const encode = faultOf("encode");
const handlers = faultOf("handlers");

const bytesAndTime: readonly Fault[] = [
  encode("ids-mixed-at-once", "Responses to simultaneous requests have each other's ids.", {
    pipeline: idsMixed,
  }),
  encode(
    "every-fiftieth-fails",
    "One response in fifty is an internal error.",
    respondingWith((body, sequence) =>
      sequence % 50 === 0
        ? `{${/^\{("id":(?:"[^"]*"|null))/.exec(body)?.[1] ?? '"id":null'},"error":{"code":"INTERNAL","message":"Internal Error"},"jsonrpc":"2.0"}`
        : body,
    ),
  ),
  transport(
    "response-with-byte-order-mark",
    "Responses begin with a byte order mark.",
    respondingWith((body) => `\uFEFF${body}`),
  ),
  transport(
    "bytes-after-response",
    "Responses end with a comment of a proxy.",
    respondingWith((body) => `${body}<!-- 12 ms -->`),
  ),
  encode(
    "members-twice",
    "Responses have the member id twice.",
    respondingWith((body) => body.replace(/^\{"id":/, '{"id":"","id":')),
  ),
  encode("result-as-text", "UpdateAccountCategory answers its result as a text that holds JSON.", {
    response: ({ json, method, isError }) =>
      isError || method !== "AccountService.UpdateAccountCategory"
        ? json
        : { ...Object(json), result: JSON.stringify(Object(json).result) },
  }),
];

const texts: readonly Fault[] = [
  encode(
    "apostrophes-doubled",
    "Apostrophes of texts arrive doubled.",
    inTexts("all", (text) => text.replaceAll("'", "''")),
  ),
  encode(
    "blanks-collapsed",
    "Several blanks of a name become one.",
    inTexts("all", (text) => text.replaceAll(/ {2,}/g, " ")),
  ),
  encode(
    "phone-digits-only",
    "UpdateCustomer answers the digits of a phone number alone.",
    inMember([updateCustomer], "phoneNumber", (value) => String(value).replaceAll(/\D/g, "")),
  ),
  encode("city-and-state-swapped", "UpdateCustomer answers city and state in each other's place.", {
    response: ({ json, method, isError }) =>
      isError || method !== updateCustomer
        ? json
        : eachMember(json, (name, value) => {
            if (name !== "address") return value;
            const { city, state, ...others } = Object(value);
            return { ...others, city: state, state: city };
          }),
  }),
];

const firstCustomer: { id?: unknown } = {};
let listings = 0;

const consistency: readonly Fault[] = [
  encode(
    "list-without-balances",
    "ListAccounts shows a balance of 1 for every account.",
    inMember([listAccounts], "balance", () => 1),
  ),
  encode(
    "list-of-checking",
    "ListAccounts shows CHECKING for every account.",
    inMember([listAccounts], "accountType", () => "CHECKING"),
  ),
  encode(
    "list-of-one-customer",
    "ListAccounts shows one customer for every account.",
    inMember([listAccounts], "customerID", (value) => (firstCustomer.id ??= value)),
  ),
  encode(
    "currency-code-of-dollar",
    "GetAccount shows the numeric code of the dollar for every currency.",
    inMember([getAccount], "currencyCode", () => "840"),
  ),
  handlers(
    "parent-is-itself",
    "GetAccount shows the account itself as its parent.",
    account((found) => ({
      ...found,
      parent: { ...Object(found["parent"]), ID: found["id"], number: found["number"] },
    })),
  ),
  handlers("page-beyond-end-is-first", "A page after the last one is the first one again.", {
    options: withTables(listAccounts, ({ accounts }) => ({
      accounts: {
        ...accounts,
        async list(query) {
          const found = await accounts.list(query);
          return found.length > 0 ? found : accounts.list({ ...query, offset: 0 });
        },
      },
    })),
  }),
  handlers("pages-drift", "Every second page begins one account later.", {
    options: withTables(listAccounts, ({ accounts }) => ({
      accounts: {
        ...accounts,
        list(query) {
          listings += 1;
          return accounts.list({ ...query, offset: query.offset + (listings % 2) });
        },
      },
    })),
  }),
  encode(
    "closed-not-listed",
    "ListAccounts leaves out accounts that are closed.",
    inMember([listAccounts], "accounts", (value) =>
      Array.isArray(value) ? value.filter((each) => Object(each).status !== "CLOSED") : value,
    ),
  ),
];

const formerStatuses = new Map<unknown, { readonly status: unknown; readonly untilMs: number }>();

const states: readonly Fault[] = [
  handlers(
    "openings-merged-at-once",
    "Openings for one customer within 100 ms are answered with one account.",
    {
      pipeline: openingsMerged,
    },
  ),
  handlers("status-read-late", "A new status is read 400 ms after it was answered.", {
    options: (options) =>
      withResult(getAccount, ({ account: found }) => {
        const former = formerStatuses.get(Object(found).number);
        const isLate = former !== undefined && performance.now() < former.untilMs;
        return { account: isLate ? { ...Object(found), status: former.status } : found };
      })(
        withHandler(setStatus, (sound) => async (payload, context) => {
          const number = String(payload["accountNumber"]);
          const stored = await context.store.one(accountByNumber, context.caller.institutionId, number);
          const result = await sound(payload, context);
          const untilMs = performance.now() + replicaLagMs;
          formerStatuses.set(number, { status: stored?.status, untilMs });
          return result;
        })(options),
      ),
  }),
  handlers(
    "reading-is-updating",
    "GetAccount shows the time of reading as the last update.",
    account((found) => ({ ...found, updatedDate: new Date().toISOString() })),
  ),
  handlers(
    "closed-not-found",
    "GetAccount does not find an account that is closed.",
    account((found) => {
      if (found["status"] === "CLOSED") throw new RpcError("NOT_FOUND_ACCOUNT");
      return found;
    }),
  ),
  handlers("legal-rep-stays-inactive", "A legal representative who is INACTIVE stays so.", {
    response: keepingStatus("CustomerService.UpdateLegalRepStatus", "ID", "status", "INACTIVE"),
  }),
  handlers("shareholder-stays-disabled", "A shareholder who is DISABLED stays so.", {
    response: keepingStatus("CustomerService.UpdateShareHolder", "Id", "Status", "DISABLED"),
  }),
];

/** Identifiers of what was answered with a status once, and keeps it. */
function keepingStatus(
  operation: string,
  id: string,
  member: string,
  final: string,
): NonNullable<Fault["response"]> {
  const ended = new Set<unknown>();
  return ({ json, method, isError }) => {
    if (isError || method !== operation) return json;
    const result = Object(Object(json).result);
    if (result[member] === final) ended.add(result[id]);
    return ended.has(result[id]) ? { ...Object(json), result: { ...result, [member]: final } } : json;
  };
}

/**
 * 25 faults of new kinds: bytes around the response, simultaneous requests, time, texts, agreement between
 * operations, and the effect of a state on reading. They were written and tried before the suite was changed for them
 * (docs/internals/fault-scores.md has the score).
 */
export const thirdRoundFaults: readonly Fault[] = [
  ...bytesAndTime,
  ...texts,
  ...consistency,
  ...states,
  encode(
    "source-under-another-identifier",
    "GetSource answers another identifier than that of the source.",
    inMember(["GetSource"], "id", () => "01KAFZ00000000000000000001"),
  ),
];
