import type { Collections } from "../changes/collections.ts";
import { RpcError } from "../../../runtime/contract/index.ts";
import { shareAtRisk } from "../../../ledger/domain/rules.ts";
import type { AccountRecord } from "../../../ledger/domain/records/accounts.ts";
import { withRiskScorer } from "../changes/authentication.ts";
import { withContext, withHandler, withPayload, withResult, withTables } from "../changes/handlers.ts";
import { each, faultOf, inResults, type ChangeOptions, type Fault } from "../fault.ts";
import { filtering } from "./storage.ts";
import type { AccountListing, ListedAccount } from "../../../ledger/domain/lists.ts";

const fault = faultOf("domain");
const list = "AccountService.ListAccounts";
const record = "RecordTransaction";
const decide = "UpdateTransactionStatus";

/** The share, from 0 to 1, of the accounts that are at risk. */
const share = (accounts: readonly AccountListing[], isAtRisk: (account: ListedAccount) => boolean): number =>
  accounts.length === 0 ? 0 : accounts.filter(({ account }) => isAtRisk(account)).length / accounts.length;
const isOverdrawn = (account: ListedAccount): boolean =>
  account.ledgerMinor - account.holdMinor - account.preAuthMinor < 0n;
const isAtRisk = (account: ListedAccount): boolean =>
  account.status === "SUSPENDED" || account.status === "BLOCKED" || isOverdrawn(account);

/** Filters that a condition on their text is true of are refused. */
const refusing = (isRefused: (filter: string) => boolean): ChangeOptions =>
  withHandler(list, (sound) => (payload, context) => {
    if (isRefused(String(payload["filter"] ?? ""))) throw new RpcError("BAD_INPUT", { field: "/filter" });
    return sound(payload, context);
  });

/** Accounts are kept otherwise while a transaction moves money. */
const movingWith = (
  method: string,
  change: (changed: AccountRecord, stored: AccountRecord) => Partial<AccountRecord>,
): ChangeOptions =>
  withTables(method, ({ accounts }) => ({
    accounts: {
      ...accounts,
      async replace(changed) {
        const stored = await accounts.find(changed.institutionId, changed.id);
        return accounts.replace({ ...changed, ...(stored && change(changed, stored)) });
      },
    },
  }));

/** Accounts in a status take part in transactions as if they were ACTIVE. */
const movingAsActive = (status: AccountRecord["status"]): ChangeOptions => {
  const active = <R extends AccountRecord>(found: R | undefined): R | undefined =>
    found?.status === status ? { ...found, status: "ACTIVE" } : found;
  return withTables(record, ({ accounts }) => ({
    accounts: {
      ...accounts,
      find: async (...key) => active(await accounts.find(...key)),
      findByNumber: async (...key) => active(await accounts.findByNumber(...key)),
      replace: async (changed) => {
        const stored = await accounts.find(changed.institutionId, changed.id);
        return accounts.replace(stored?.status === status ? { ...changed, status } : changed);
      },
    },
  }));
};

/** New accounts get other numbers. */
const numbered = (change: (number: string) => string): ChangeOptions =>
  each(
    withTables("CustomerService.AddAccount", ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (account) => accounts.insert({ ...account, number: change(account.number) }),
      },
    })),
    withResult("CustomerService.AddAccount", (result) => ({
      ...result,
      accountNumber: change(String(result["accountNumber"])),
    })),
  );

/** A transaction is recorded with another status; the response has the one that was asked for. */
const recordedAs = (asked: string, kept: string): ChangeOptions =>
  withHandler(
    record,
    (sound) => (payload, context) =>
      sound(payload["Status"] === asked ? { ...payload, Status: kept } : payload, context),
  );

const transactionsOf = (
  method: string,
  change: (transactions: Collections["transactions"]) => Partial<Collections["transactions"]>,
): ChangeOptions =>
  withTables(method, ({ transactions }) => ({
    transactions: { ...transactions, ...change(transactions) },
  }));

const times = (change: (text: string) => string): Pick<Fault, "response"> => ({
  response: inResults("all", (name, value) => (/^\w+Date$/.test(name) ? change(String(value)) : value)),
});

export const domainFaults: readonly Fault[] = [
  fault(
    "and-binds-tighter",
    "AND binds tighter than OR.",
    filtering((condition) => {
      if (condition.kind !== "and") return condition;
      const [first, last] = [condition.terms[0], condition.terms.at(-1)];
      if (first === undefined || last?.kind !== "or") return condition;
      const [head, ...rest] = last.terms;
      return head === undefined
        ? condition
        : { kind: "or", terms: [{ kind: "and", terms: [...condition.terms.slice(0, -1), head] }, ...rest] };
    }),
  ),
  fault(
    "not-ignored",
    "NOT negates nothing.",
    filtering((condition) => (condition.kind === "not" ? condition.term : condition)),
  ),
  fault(
    "has-is-equal",
    "`:` on a text means =.",
    filtering((condition) =>
      condition.kind === "text" && condition.op === "has" ? { ...condition, op: "=" } : condition,
    ),
  ),
  fault(
    "prefix-is-equal",
    "A trailing * is a character like any other.",
    filtering((condition) =>
      condition.kind === "text" && condition.op === "prefix"
        ? { ...condition, op: "=", value: `${condition.value}*` }
        : condition,
    ),
  ),
  fault(
    "less-or-equal-is-less",
    "<= means <, and >= means >.",
    filtering((condition) => {
      if (condition.kind !== "time" && condition.kind !== "amount") return condition;
      const op = condition.op === "<=" ? "<" : condition.op === ">=" ? ">" : condition.op;
      return { ...condition, op };
    }),
  ),
  fault(
    "name-only-search",
    "A text alone is searched in names only.",
    filtering((condition) =>
      condition.kind === "or"
        ? {
            ...condition,
            terms: condition.terms.filter(
              (term, _index, terms) =>
                term.kind !== "text" || term.field !== "number" || terms.length < 2 || term.op !== "has",
            ),
          }
        : condition,
    ),
  ),
  fault("filter-groups-fewer", "Eight levels of parentheses are refused.", {
    options: refusing((filter) => filter.includes("((((((((")),
  }),
  fault("comparisons-fewer", "Twenty comparisons are refused.", {
    options: refusing((filter) => (filter.match(/ (?:AND|OR) /g)?.length ?? 0) >= 19),
  }),
  fault("filter-names-match-case", "Fields of a filter match only as they are documented.", {
    options: refusing((filter) =>
      /(?<![\w"])(?:NAME|Name|STATUS|Status|BALANCE|Balance|Number|NUMBER)\s*[=:<>!]/.test(filter),
    ),
  }),
  fault("risk-not-rounded", "riskScore has a fraction.", {
    options: withRiskScorer((accounts) => share(accounts, isAtRisk) * 100),
  }),
  fault("risk-cut-off", "riskScore is cut off rather than rounded.", {
    options: withRiskScorer((accounts) => Math.floor(share(accounts, isAtRisk) * 100)),
  }),
  fault("risk-as-fraction", "riskScore goes from 0 to 1.", {
    options: withRiskScorer((accounts) => share(accounts, isAtRisk)),
  }),
  fault("risk-without-blocked", "BLOCKED accounts are no risk.", {
    options: withRiskScorer((accounts) =>
      Math.round(share(accounts, (account) => account.status !== "BLOCKED" && isAtRisk(account)) * 100),
    ),
  }),
  fault("risk-with-disabled", "DISABLED accounts are a risk.", {
    options: withRiskScorer((accounts) =>
      Math.round(share(accounts, (account) => account.status === "DISABLED" || isAtRisk(account)) * 100),
    ),
  }),
  fault("overdrawn-is-no-risk", "Overdrawn accounts are no risk.", {
    options: withRiskScorer((accounts) =>
      shareAtRisk.score(
        accounts.map(({ account, ...names }) => ({
          ...names,
          account: isOverdrawn(account)
            ? { ...account, ledgerMinor: account.holdMinor + account.preAuthMinor }
            : account,
        })),
      ),
    ),
  }),
  fault("no-check-pair", "Account numbers have no check pair.", {
    options: numbered((number) => {
      const pair = ((Number(number.slice(13)) + 1) % 100).toString().padStart(2, "0");
      return number.slice(0, 13) + pair;
    }),
  }),
  fault("short-account-numbers", "Account numbers have 13 digits.", {
    options: numbered((number) => number.slice(0, 13)),
  }),
  fault(
    "times-in-seconds",
    "Times are cut off at the second.",
    times((text) => `${text.slice(0, 19)}Z`),
  ),
  fault(
    "local-times",
    "Times are written without zone.",
    times((text) => text.slice(0, 23)),
  ),
  fault("curtailed-takes-debits", "A CURTAILED account takes debits.", {
    operatorOptions: movingAsActive("CURTAILED"),
  }),
  fault("suspended-takes-credits", "A SUSPENDED account takes part in transactions.", {
    operatorOptions: movingAsActive("SUSPENDED"),
  }),
  fault("closed-takes-credits", "A CLOSED account takes part in transactions.", {
    operatorOptions: movingAsActive("CLOSED"),
  }),
  fault("dormant-sleeps-on", "A credit does not wake a DORMANT account.", {
    operatorOptions: movingWith(record, (changed, { status }) =>
      status === "DORMANT" ? { ...changed, status } : {},
    ),
  }),
  fault("curtailed-wakes", "A credit wakes a CURTAILED account.", {
    operatorOptions: movingWith(record, (_changed, { status }) =>
      status === "CURTAILED" ? { status: "ACTIVE" } : {},
    ),
  }),
  fault("pending-posts", "A pending transaction moves money.", {
    operatorOptions: recordedAs("PENDING", "COMPLETED"),
  }),
  fault("pending-holds-nothing", "A pending transaction holds nothing.", {
    operatorOptions: movingWith(record, (_changed, { holdMinor }) => ({ holdMinor })),
  }),
  fault("failed-posts", "A failed transaction moves money.", {
    operatorOptions: recordedAs("FAILED", "COMPLETED"),
  }),
  fault("hold-not-released", "A hold is not released.", {
    operatorOptions: movingWith(decide, (_changed, { holdMinor }) => ({ holdMinor })),
  }),
  fault("decided-again", "A decided transaction may be decided again.", {
    operatorOptions: transactionsOf(decide, (transactions) => ({
      async findByReference(...key) {
        const found = await transactions.findByReference(...key);
        return found && { ...found, status: "PENDING" };
      },
    })),
  }),
  fault("transaction-status-not-kept", "The new status of a transaction is not kept.", {
    operatorOptions: transactionsOf(decide, () => ({ replace: () => Promise.resolve() })),
  }),
  fault("balance-without-holds", "balance does not subtract what is held.", {
    options: withHandler("AccountService.GetAccount", (sound) => async (payload, context) => {
      const { account } = Object(await sound(payload, context));
      return { account: { ...account, balance: account.ledgerBalance } };
    }),
  }),
  fault("amounts-through-floats", "Amounts are added as floats.", {
    operatorOptions: withContext(record, ({ store }) => ({
      store: {
        ...store,
        update: (query, changes, ...values) => {
          const { ledgerMinor } = Object(changes);
          if (ledgerMinor === undefined) return store.update(query, changes, ...values);
          const added = BigInt(Math.trunc((Number(ledgerMinor) / 100) * 100));
          return store.update(query, { ...changes, ledgerMinor: added }, ...values);
        },
      },
    })),
  }),
  fault("time-in-utc", "A transaction's time loses its offset.", {
    operatorOptions: withPayload(record, (payload) => ({
      ...payload,
      TimeStamp: new Date(String(payload["TimeStamp"])).toISOString(),
    })),
  }),
  fault("fees-lost", "Fees of a transaction are lost.", {
    operatorOptions: withPayload(record, (payload) => ({ ...payload, Fees: [] })),
  }),
  fault("party-lost", "The creditor of a transaction is recorded without its party.", {
    operatorOptions: withPayload(record, (payload) => {
      const { AccountNumber, InstitutionId } = Object(payload["CreditorAccount"]);
      return { ...payload, CreditorAccount: { AccountNumber, InstitutionId } };
    }),
  }),
  fault("references-ignore-case", "References match ignoring case.", {
    options: withPayload("TransactionService.GetTransactionsByRef", (payload) => ({
      ...payload,
      ReferenceId: String(payload["ReferenceId"]).replace(/^in-/, "IN-"),
    })),
  }),
];
