import type {
  RecordedTransaction,
  SearchTransactionsPayload,
  TransactionStatus,
  TransactionType,
} from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { textOf } from "../../shared/json.ts";
import { filterForm, linkTo, pagedList, section } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { offering } from "../../shared/suggestions.ts";
import { actions, badge, copyable, facts, money, table, time } from "../../shared/view.ts";
import { actionButton, type BankContext, type BankPage, type BankSession } from "../session.ts";
import { linkToSide } from "./accounts.ts";

export const transactionsPage: BankPage = {
  name: "transactions",
  title: "Transactions",
  operation: ([first, asked]) =>
    first === undefined || asked !== undefined ? "SearchTransactions" : "GetTransaction",
  show(context) {
    const [first, asked] = context.args;
    if (first === undefined || asked !== undefined) showList(context, new URLSearchParams(asked));
    else showTransaction(context, first);
  },
};

function showList(context: BankContext, asked: URLSearchParams): void {
  const { session, main, refresh } = context;
  const record = actionButton(session, "RecordTransaction", {
    label: "Record a transaction",
    text: "A COMPLETED transaction moves the balances at once, a PENDING one holds the amount.",
    isPrimary: true,
    initial: {
      Status: "COMPLETED",
      ReferenceId: crypto.randomUUID(),
      TimeStamp: new Date().toISOString(),
    },
    done: ({ ReferenceId }) => ["Recorded: ", linkTo(["transactions", ReferenceId], ReferenceId)],
    refresh,
  });
  const payload = payloadOf(session, asked);
  const list = pagedList(
    (place) => session.client.searchTransactions({ ...payload, pageSize: 50, ...place }),
    ({ transactions }) => transactions,
    (rows) => recordedTable(rows, asked.size > 0),
  );
  show(
    main,
    el("h1", {}, "Transactions"),
    referenceForm(),
    searchForm(session, asked),
    actions(record),
    list,
  );
}

function referenceForm(): HTMLElement {
  const input = el("input", { id: "reference", type: "search", spellcheck: "false" });
  const field = el("div", { class: "field" }, el("label", { for: "reference" }, "Reference"), input);
  const find = (): void => {
    location.hash = `#/transactions/${encodeURIComponent(input.value)}`;
  };
  return filterForm([field], find, "Find");
}

/** The filters of the list, which stay in the address. */
function searchForm(session: BankSession, asked: URLSearchParams): HTMLElement {
  const select = (name: string, type: string): HTMLSelectElement => {
    const values = listOf(session.schema.of(type)["enum"]).map(textOf);
    const chosen = asked.get(name);
    return el(
      "select",
      { id: name, name },
      el("option", { value: "" }, "any"),
      values.map((each) => el("option", { value: each, selected: each === chosen }, each)),
    );
  };
  const input = (name: string, type: string): HTMLInputElement => {
    const element = el("input", { id: name, name, type, spellcheck: "false", autocomplete: "off" });
    element.value = asked.get(name) ?? "";
    return element;
  };
  const customer = input("customer", "search");
  const customers = session.suggest("SearchTransactions")("customerId");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const fields: readonly (readonly [string, HTMLInputElement | HTMLSelectElement, zone?: string])[] = [
    ["From", input("from", "date"), timeZone],
    ["To", input("to", "date"), timeZone],
    ["Status", select("status", "TransactionStatus")],
    ["Type", select("type", "TransactionType")],
    ["Customer", customer],
    ["At least", input("least", "number")],
  ];
  const apply = (): void => {
    const given = fields.map(([, { name, value }]) => [name, value]).filter(([, value]) => value !== "");
    const text = new URLSearchParams(given).toString();
    location.hash = text === "" ? "#/transactions" : `#/transactions/search/${encodeURIComponent(text)}`;
  };
  return filterForm(
    fields.map(([label, control, zone]) =>
      el(
        "div",
        { class: "field" },
        el("label", { for: control.id }, label, zone === undefined ? undefined : el("small", {}, ` ${zone}`)),
        control,
        control === customer && customers !== undefined ? offering(customer, customers) : undefined,
      ),
    ),
    apply,
    "Search",
  );
}

function payloadOf({ schema }: BankSession, asked: URLSearchParams): SearchTransactionsPayload {
  const isStatus = (text: string): text is TransactionStatus => isOneOf("TransactionStatus", text);
  const isType = (text: string): text is TransactionType => isOneOf("TransactionType", text);
  const isOneOf = (type: string, text: string): boolean => listOf(schema.of(type)["enum"]).includes(text);
  const [status, type] = [asked.get("status") ?? "", asked.get("type") ?? ""];
  const [customer, least] = [asked.get("customer"), asked.get("least")];
  const [from, to] = [dayAt(asked.get("from"), 0), dayAt(asked.get("to"), 1)];
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(isStatus(status) && { Status: status }),
    ...(isType(type) && { type }),
    ...(customer !== null && { CustomerId: customer }),
    ...(least !== null && { minimumAmount: Number(least) }),
  };
}

/** Midnight at the beginning of a day, or of the one after it, in the reader's time zone. */
function dayAt(day: string | null, later: 0 | 1): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? [];
  if (date === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).toISOString();
}

function recordedTable(transactions: readonly RecordedTransaction[], isFiltered: boolean): Child {
  return table(
    "Transactions, the newest first",
    [
      { title: "Recorded", of: ({ recordedDate }) => time(recordedDate) },
      { title: "Reference", of: ({ ReferenceId }) => linkTo(["transactions", ReferenceId]) },
      { title: "Type", of: ({ type, mode }) => `${type} (${mode})` },
      { title: "Status", of: ({ Status }) => badge(Status) },
      {
        title: "Amount",
        of: ({ InstructedAmount: { Amount, Currency } }) => money(Amount, Currency),
        isNumber: true,
      },
      { title: "From", of: ({ DebtorAccountNumber }) => DebtorAccountNumber },
      { title: "To", of: ({ CreditorAccountNumber }) => CreditorAccountNumber },
      { title: "Customer", of: ({ CustomerId }) => linkTo(["customers", CustomerId]) },
    ],
    transactions,
    isFiltered ? "No transaction fits the filter." : "There is no transaction yet.",
  );
}

function showTransaction({ session, main, refresh }: BankContext, ReferenceId: string): void {
  const state = section(
    ReferenceId,
    () => session.client.getTransaction({ ReferenceId }),
    (transaction) => [
      facts([
        ["Status", badge(transaction.Status)],
        ["Amount", money(transaction.InstructedAmount.Amount, transaction.InstructedAmount.Currency)],
        ["Type", `${transaction.type} (${transaction.mode})`],
        ["Time", time(transaction.TimeStamp)],
        ["From", linkToSide(transaction, transaction.DebtorAccount)],
        ["To", linkToSide(transaction, transaction.CreditorAccount)],
        ["Fees", transaction.Fees.map((fee) => money(fee.Amount, fee.Currency)).join(", ")],
        ["Customer", linkTo(["customers", transaction.CustomerId])],
        ["Identifier", copyable(transaction.TransactionId)],
      ]),
      actions(
        transaction.Status === "PENDING"
          ? actionButton(session, "UpdateTransactionStatus", {
              label: "Decide the transaction",
              text: "A final status cannot be changed again.",
              fixed: { ReferenceId },
              confirm: ReferenceId,
              done: ({ Status }) => `The transaction is ${Status} now.`,
              refresh,
            })
          : undefined,
        " ",
        linkTo(["audit", "transaction", transaction.TransactionId], "Audit of this transaction"),
      ),
    ],
  );
  show(main, el("h1", {}, "Transaction"), state, el("p", {}, linkTo(["transactions"], "All transactions")));
}
