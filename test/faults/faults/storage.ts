import type { AccountCondition, AccountListing, AccountQuery } from "../../../ledger/domain/lists.ts";
import type { AccountRecord } from "../../../ledger/domain/records/accounts.ts";
import { withStore } from "../changes/store.ts";
import { faultOf, type Fault } from "../fault.ts";

const fault = faultOf("storage");

/** Accounts are listed by another query, or the page is another. */
function listing(
  query: (query: AccountQuery) => AccountQuery,
  page: (page: readonly AccountListing[]) => readonly AccountListing[] = (rows) => rows,
): Pick<Fault, "options"> {
  return {
    options: withStore({
      reading: ({ accounts }) => ({
        accounts: { ...accounts, list: async (asked) => page(await accounts.list(query(asked))) },
      }),
    }),
  };
}

/** Filters mean something else: each condition is changed, innermost first. */
export function filtering(change: (condition: AccountCondition) => AccountCondition): Pick<Fault, "options"> {
  const changed = (condition: AccountCondition): AccountCondition => {
    if (condition.kind === "not") return change({ ...condition, term: changed(condition.term) });
    if (condition.kind === "and" || condition.kind === "or")
      return change({ ...condition, terms: condition.terms.map(changed) });
    return change(condition);
  };
  return listing(({ condition, ...query }) => ({
    ...query,
    ...(condition && { condition: changed(condition) }),
  }));
}

const same = (query: AccountQuery): AccountQuery => query;
const by =
  (change: (text: string) => string) =>
  <R extends { readonly name: string }>(record: R): R => ({ ...record, name: change(record.name) });

/** Accounts and customers are kept with another name. */
function keptName(change: (text: string) => string): Pick<Fault, "options"> {
  return {
    options: withStore({
      writing: ({ accounts, customers }) => ({
        accounts: { ...accounts, insert: (record) => accounts.insert(by(change)(record)) },
        customers: { ...customers, replace: (record) => customers.replace(by(change)(record)) },
      }),
    }),
  };
}

const staleAccounts = new Map<string, AccountRecord>();

export const storageFaults: readonly Fault[] = [
  fault(
    "newest-first",
    "Accounts are listed newest first.",
    listing(same, (page) => page.toReversed()),
  ),
  fault(
    "listed-by-name",
    "Accounts are listed by name.",
    listing(same, (page) => page.toSorted((a, b) => (a.account.name < b.account.name ? -1 : 1))),
  ),
  fault(
    "offset-ignored",
    "Every page is the first.",
    listing((query) => ({ ...query, offset: 0 })),
  ),
  fault(
    "customers-ignored-in-list",
    "The store does not look whose accounts it lists.",
    listing(({ customerIds: _any, ...query }) => query),
  ),
  fault(
    "search-matches-case",
    "Texts are searched by case: only where a name begins with them.",
    filtering((condition) =>
      condition.kind === "text" && condition.op === "has" ? { ...condition, op: "prefix" } : condition,
    ),
  ),
  fault(
    "texts-compare-without-case",
    "A text equals every text that contains it, ignoring case.",
    filtering((condition) =>
      condition.kind === "text" && condition.op === "=" ? { ...condition, op: "has" } : condition,
    ),
  ),
  fault(
    "prefix-is-anywhere",
    "A trailing * matches in the middle of a text.",
    filtering((condition) =>
      condition.kind === "text" && condition.op === "prefix" ? { ...condition, op: "has" } : condition,
    ),
  ),
  fault(
    "not-over-first-term",
    "OR in a query is AND.",
    filtering((condition) => (condition.kind === "or" ? { ...condition, kind: "and" } : condition)),
  ),
  fault(
    "filter-by-other-amount",
    "A filter on the balance looks at the ledger balance.",
    filtering((condition) =>
      condition.kind === "amount" && condition.field === "balance"
        ? { ...condition, field: "ledgerBalance" }
        : condition,
    ),
  ),
  fault("stale-view", "An account that was read once is read again from memory.", {
    options: withStore({
      reading: ({ accounts }) => ({
        accounts: {
          ...accounts,
          async find(institutionId, id) {
            const known = staleAccounts.get(id);
            if (known !== undefined) return known;
            const found = await accounts.find(institutionId, id);
            if (found !== undefined) staleAccounts.set(id, found);
            return found;
          },
        },
      }),
    }),
  }),
  fault(
    "texts-cut",
    "Names are cut at 30 characters.",
    keptName((text) => text.slice(0, 30)),
  ),
  fault(
    "long-texts-cut",
    "Names are cut at 300 characters.",
    keptName((text) => Array.from(text).slice(0, 300).join("")),
  ),
  fault(
    "texts-in-latin1",
    "Characters beyond Latin are lost.",
    keptName((text) => text.replaceAll(/[^ -ÿ]/g, "?")),
  ),
  fault(
    "texts-decomposed",
    "Names are kept in Unicode form NFD.",
    keptName((text) => text.normalize("NFD")),
  ),
  fault("amounts-as-doubles", "Amounts are kept in whole units.", {
    options: withStore({
      reading: ({ accounts }) => ({
        accounts: {
          ...accounts,
          async find(institutionId, id) {
            const found = await accounts.find(institutionId, id);
            return found && { ...found, ledgerMinor: (found.ledgerMinor / 100n) * 100n };
          },
        },
      }),
    }),
  }),
];
