import { el, show } from "../../shared/dom.ts";
import { filterForm, linkTo, section } from "../../shared/page.ts";
import { badge, facts, money, time } from "../../shared/view.ts";
import type { ConsolePage, PageContext } from "../page.ts";
import { linkToSide } from "./accounts.ts";
import { actionButton } from "../session.ts";

export const transactionsPage: ConsolePage = {
  name: "transactions",
  title: "Transactions",
  operation: () => "GetTransaction",
  show(context) {
    const { session, main, args, refresh } = context;
    const [reference] = args;
    const input = el("input", { id: "reference", type: "search", spellcheck: "false" });
    input.value = reference ?? "";
    const field = el("div", { class: "field" }, el("label", { for: "reference" }, "Reference"), input);
    const find = () => {
      location.hash = `#/transactions/${encodeURIComponent(input.value)}`;
    };
    const record = actionButton(session, "RecordTransaction", {
      label: "Record a transaction",
      text: "A COMPLETED transaction moves the balances at once, a PENDING one holds the amount.",
      initial: {
        Status: "COMPLETED",
        ReferenceId: crypto.randomUUID(),
        TimeStamp: new Date().toISOString(),
      },
      done: ({ ReferenceId }) => ["Recorded: ", linkTo(["transactions", ReferenceId], ReferenceId)],
      refresh,
    });
    show(
      main,
      el("h1", {}, "Transactions"),
      filterForm([field], find, "Find"),
      el("p", { class: "actions" }, record),
      reference === undefined || reference === ""
        ? el("p", { class: "empty" }, "Type a reference, or open an account to see its transactions.")
        : transactionDetails(context, reference),
    );
  },
};

function transactionDetails({ session, refresh }: PageContext, ReferenceId: string): HTMLElement {
  return section(
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
        ["Fees", transaction.Fees.map((fee) => `${String(money(fee.Amount, fee.Currency))} `).join("")],
        ["Customer", el("code", {}, transaction.CustomerId)],
        ["Identifier", el("code", {}, transaction.TransactionId)],
      ]),
      el(
        "p",
        { class: "actions" },
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
}
