import { inKeyOrder, type BookSource } from "../../../runtime/store/common/index.ts";
import type { Table } from "../../../runtime/store/tables/index.ts";
import { accounts, postings, transactions } from "../../tables/index.ts";
import type { BankBooks } from "../verify/books.ts";

/** The bank's books in memory. */
export function recordedBankBooks({ all }: Extract<BookSource, { readonly kind: "records" }>): BankBooks {
  const of = <R extends { readonly institutionId: string }>(table: Table<R>, id: string): readonly R[] =>
    all(table).filter(({ institutionId }) => institutionId === id);
  const links = all(postings);
  return {
    count: (table) => all<object>(table === "accounts" ? accounts : transactions).length,
    accounts: (institutionId) =>
      inKeyOrder(of(accounts, institutionId), ({ id }) => [id]).map((account) => ({
        ...account,
        head: headOf(
          links.filter((link) => link.institutionId === institutionId && link.accountId === account.id),
        ),
      })),
    postings: (id) => inKeyOrder(of(postings, id), ({ accountId, position }) => [accountId, position]),
    pending: (id) =>
      inKeyOrder(
        of(transactions, id).filter(({ status }) => status === "PENDING"),
        ({ debtorAccountId }) => [debtorAccountId],
      ),
    transactions: (institutionId) => inKeyOrder(of(transactions, institutionId), ({ id }) => [id]),
    postingsByTransaction: (institutionId) =>
      inKeyOrder(of(postings, institutionId), ({ transactionId, id }) => [transactionId, id]),
    customerOf: (institutionId, accountId) =>
      of(accounts, institutionId).find(({ id }) => id === accountId)?.customerId,
  };
}

function headOf(links: readonly { readonly position: number; readonly hash: string }[]) {
  return links.reduce((head, link) => (link.position > head.position ? link : head), {
    position: 0,
    hash: "",
  });
}
