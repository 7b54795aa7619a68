import type { Account, AccountSummary, Transaction } from "../../../generated/operator/client/index.ts";
import { timeChart, type Point } from "../../shared/chart.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { load } from "../../shared/load.ts";
import { filterForm, linkTo, once, section } from "../../shared/page.ts";
import { seen } from "../../shared/reasons.ts";
import { actions, badge, facts, money, table, time } from "../../shared/view.ts";
import { actionButton, type BankContext, type BankPage } from "../session.ts";
import { beneficiariesOf, showBeneficiary } from "./catalog.ts";
import { deliveryTable } from "../../console/pages/deliveries.ts";

const pageSize = 25;
/** How many transactions the chart of an account reaches back, at least. */
const shownMax = 300;
/** How many the service gives at once. */
const pageMax = 100;

export const accountsPage: BankPage = {
  name: "accounts",
  title: "Accounts",
  operation: ([number, kind]) => {
    if (number === undefined || number === "page") return "ListAccounts";
    return kind === "beneficiaries" ? "GetBeneficiary" : "GetAccount";
  },
  show(context) {
    const [first, ...rest] = context.args;
    if (first === undefined || first === "page") showList(context, Number(rest[0] ?? 1), rest[1] ?? "");
    else if (rest[0] === "beneficiaries" && rest[1] !== undefined) showBeneficiary(context, first, rest[1]);
    else showAccount(context, first);
  },
};

function showList({ session, main }: BankContext, pageNumber: number, filter: string): void {
  const input = el("input", {
    id: "filter",
    type: "search",
    placeholder: 'such as status = "ACTIVE" AND balance > 100',
    spellcheck: "false",
  });
  input.value = filter;
  const place = el("div", { class: "content" });
  void load(
    place,
    async () => {
      const by = filter === "" ? {} : { filter };
      return (await session.client.listAccounts({ pageNumber, pageSize, ...by })).accounts;
    },
    (accounts) => [
      accountTable(accounts, filter === "" ? "There is no account here." : "No account fits the filter."),
      pageButtons(accounts.length, pageNumber, filter),
    ],
  );
  const field = el("div", { class: "field" }, el("label", { for: "filter" }, "Filter"), input);
  show(
    main,
    el("h1", {}, "Accounts"),
    filterForm([field], () => goTo(1, input.value)),
    place,
  );
}

/** Accounts, or the words for none. */
export function accountTable(accounts: readonly AccountSummary[], empty: string): Child {
  return table(
    "Accounts",
    [
      { title: "Number", of: ({ number }) => linkTo(["accounts", number], number) },
      { title: "Name", of: ({ name }) => seen(name) },
      {
        title: "Customer",
        of: ({ customerID, customerName }) => linkTo(["customers", customerID], customerName),
      },
      { title: "Type", of: ({ accountType }) => accountType },
      { title: "Status", of: ({ status }) => badge(status) },
      {
        title: "Balance",
        of: ({ balance, currency }) => money(balance, currency),
        isNumber: true,
      },
      { title: "Held", of: ({ holdBalance, currency }) => money(holdBalance, currency), isNumber: true },
    ],
    accounts,
    empty,
  );
}

function pageButtons(shown: number, pageNumber: number, filter: string): Child {
  return actions(
    el(
      "button",
      { type: "button", disabled: pageNumber <= 1, onclick: () => goTo(pageNumber - 1, filter) },
      "Back",
    ),
    ` Page ${pageNumber} `,
    el(
      "button",
      {
        type: "button",
        disabled: shown < pageSize,
        onclick: () => goTo(pageNumber + 1, filter),
      },
      "Next",
    ),
  );
}

function goTo(page: number, filter: string): void {
  location.hash = `#/accounts/page/${page}/${encodeURIComponent(filter)}`;
}

function showAccount(context: BankContext, accountNumber: string): void {
  const { session, main } = context;
  const readAccount = once(async () => (await session.client.getAccount({ accountNumber })).account);
  const readNewest = once(() => newestOf(context, accountNumber));
  show(
    main,
    el("h1", {}, `Account ${accountNumber}`),
    section("State", readAccount, (account) => accountDetails(context, account)),
    section(
      "Ledger balance over time",
      async () => ({ account: await readAccount(), newest: await readNewest() }),
      ({ account, newest }) => {
        const points = balancesOf(account, newest);
        if (points !== undefined) return timeChart("Ledger balance", points);
        return el(
          "p",
          { class: "empty" },
          "Transactions that do not name this account moved it: there is no chart.",
        );
      },
    ),
    section("Transactions", readNewest, ({ transactions, isAll }) => [
      isAll ? undefined : el("p", { class: "hint" }, `The newest ${transactions.length}.`),
      transactionTable(transactions, accountNumber),
    ]),
    section("Beneficiaries", readAccount, (account) => beneficiariesOf(context, account)),
    section(
      "Events",
      async () => (await session.client.listDeliveries({ accountNumber, pageSize })).deliveries,
      (deliveries) =>
        deliveries.length === 0
          ? el("p", { class: "empty" }, "No event of this account was to be delivered yet.")
          : deliveryTable(deliveries),
    ),
  );
}

function accountDetails({ session, refresh }: BankContext, account: Account): Child {
  const accountNumber = account.number;
  return [
    facts([
      ["Status", badge(account.status)],
      ["Available", money(account.balance, account.currency)],
      ["Ledger balance", money(account.ledgerBalance, account.currency)],
      ["Held", money(account.holdBalance, account.currency)],
      ["Minimum", money(account.minimumBalance, account.currency)],
      ["Name", seen(account.name)],
      ["Customer", linkTo(["customers", account.customerID], account.customerName)],
      ["Type", account.accountType],
      ["Category", account.accountCategory],
      ["General ledger", account.glAccount],
      ["Opened", time(account.createdDate)],
      ["Changed", time(account.updatedDate)],
      ["Identifier", el("code", {}, account.id)],
    ]),
    actions(
      actionButton(session, "SetAccountStatus", {
        label: "Change the status",
        fixed: { accountNumber },
        initial: { status: account.status },
        done: ({ status }) => `The account is ${status} now.`,
        refresh,
      }),
      actionButton(session, "MarkInstitutionAccount", {
        label: "Mark as the institution's own",
        fixed: { accountNumber },
        done: ({ institutionOwned }) =>
          institutionOwned ? "The account is the institution's own." : "The account is a customer's.",
        refresh,
      }),
      " ",
      linkTo(["audit", "account", account.id], "Audit of this account"),
    ),
  ];
}

/** The newest transactions of an account, the newest first. */
interface Newest {
  readonly transactions: readonly Transaction[];
  /** Whether there are no others. */
  readonly isAll: boolean;
}

/** The service lists the oldest first: the last pages are looked for. */
async function newestOf({ session }: BankContext, accountNumber: string): Promise<Newest> {
  const pages = new Map<number, Promise<readonly Transaction[]>>();
  const pageOf = (pageNumber: number): Promise<readonly Transaction[]> => {
    const page = { accountNumber, pageNumber, pageSize: pageMax };
    const reading =
      pages.get(pageNumber) ?? session.client.listTransactions(page).then(({ transactions }) => transactions);
    pages.set(pageNumber, reading);
    return reading;
  };
  const isFull = async (pageNumber: number) => (await pageOf(pageNumber)).length === pageMax;
  let [full, open] = [0, 1];
  while (await isFull(open)) [full, open] = [open, open * 2];
  while (open - full > 1) {
    const middle = Math.floor((full + open) / 2);
    if (await isFull(middle)) full = middle;
    else open = middle;
  }
  const first = Math.max(1, open - shownMax / pageMax);
  const numbers = Array.from({ length: open - first + 1 }, (_, index) => first + index);
  const oldestFirst = (await Promise.all(numbers.map(pageOf))).flat();
  const transactions = oldestFirst
    .toReversed()
    .toSorted((one, other) => Date.parse(other.TimeStamp) - Date.parse(one.TimeStamp));
  return { transactions, isAll: first === 1 };
}

/**
 * The balance after each completed transaction, counted back from the present one. Undefined if that does not end at
 * zero: then unnamed transactions moved the account, as with the institution's own accounts.
 */
function balancesOf(account: Account, { transactions, isAll }: Newest): Point[] | undefined {
  let balance = unitsOf(account.ledgerBalance);
  const pointAt = (at: number): Point => {
    const amount = textOfUnits(balance);
    return { at, value: Number(amount), text: money(amount, account.currency) };
  };
  const points: Point[] = [pointAt(Date.now())];
  for (const transaction of transactions) {
    if (transaction.Status !== "COMPLETED") continue;
    points.push(pointAt(Date.parse(transaction.TimeStamp)));
    balance -= effectOn(account, transaction);
  }
  if (isAll && balance !== 0n) return undefined;
  const oldest = points.at(-1);
  if (oldest !== undefined && points.length > 1) points.push(pointAt(oldest.at));
  return points.toReversed();
}

/** The amount that a transaction added to an account. Fees are charged on its customer's side. */
function effectOn(account: Account, transaction: Transaction): bigint {
  const { DebtorAccount, CreditorAccount, InstructedAmount, Fees, CustomerId, credit } = transaction;
  const isDebtor = DebtorAccount.AccountNumber === account.number;
  const isCreditor = CreditorAccount.AccountNumber === account.number;
  const amount = unitsOf(InstructedAmount.Amount);
  const moved = (isCreditor ? amount : 0n) - (isDebtor ? amount : 0n);
  const isCharged = account.customerID === CustomerId && (isDebtor || (isCreditor && credit));
  const fees = Fees.reduce((sum, fee) => sum + unitsOf(fee.Amount) + unitsOf(fee.Tax ?? 0), 0n);
  return moved - (isCharged ? fees : 0n);
}

/** Sums are exact in the smallest part that 15 digits after the point may name. */
const unitDigits = 15;

function unitsOf(amount: number): bigint {
  const text = String(amount);
  const [whole = "", fraction = ""] = (text.includes("e") ? amount.toFixed(unitDigits) : text).split(".");
  return BigInt(`${whole}${fraction.padEnd(unitDigits, "0")}`);
}

function textOfUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(unitDigits + 1, "0");
  const text = `${digits.slice(0, -unitDigits)}.${digits.slice(-unitDigits)}`.replace(/\.?0+$/, "");
  return units < 0n ? `-${text}` : text;
}

/** The account of one side; plain text where it is at another institution. */
export function linkToSide(
  { credit, CreditorAccount, DebtorAccount }: Transaction,
  { AccountNumber, InstitutionId }: Pick<Transaction["DebtorAccount"], "AccountNumber" | "InstitutionId">,
): Child {
  const own = credit ? CreditorAccount : DebtorAccount;
  return InstitutionId === own.InstitutionId ? linkTo(["accounts", AccountNumber]) : AccountNumber;
}

/** Transactions, as seen from one account where there is one. */
function transactionTable(transactions: readonly Transaction[], accountNumber?: string): Child {
  return table(
    "Transactions, the newest first",
    [
      { title: "Time", of: ({ TimeStamp }) => time(TimeStamp) },
      { title: "Reference", of: ({ ReferenceId }) => linkTo(["transactions", ReferenceId], ReferenceId) },
      { title: "Type", of: ({ type, mode }) => `${type} (${mode})` },
      { title: "Status", of: ({ Status }) => badge(Status) },
      {
        title: "Amount",
        of: ({ InstructedAmount: { Amount, Currency }, DebtorAccount }) =>
          money(DebtorAccount.AccountNumber === accountNumber ? -Amount : Amount, Currency),
        isNumber: true,
      },
      { title: "From", of: (transaction) => linkToSide(transaction, transaction.DebtorAccount) },
      { title: "To", of: (transaction) => linkToSide(transaction, transaction.CreditorAccount) },
    ],
    transactions,
    "There is no transaction yet.",
  );
}
