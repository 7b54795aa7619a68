import type { AccountContent, TransactionContent } from "../../domain/content-hashes.ts";
import {
  type ChainHead,
  type AuditBook,
  asker,
  present,
  type BookRows,
  type Row,
  type Value,
  inKeyOrder,
  type BookSource,
} from "../../../runtime/store/common/index.ts";
import type { ChainedPostingRecord } from "../../domain/records/accounts.ts";
import type { Table } from "../../../runtime/store/tables/index.ts";
import { accounts, postings, transactions } from "../../tables/index.ts";

/** The bank's books as verification reads them: streams, each in the stated order, by code points, of one state. */
export interface BankBooks {
  count(table: "accounts" | "transactions"): number;
  /** By identifier. */
  accounts(institutionId: string): Iterable<AccountBook>;
  /** By account, then position. */
  postings(institutionId: string): Iterable<ChainedPostingRecord>;
  /** PENDING transactions by debtor. */
  pending(institutionId: string): Iterable<TransactionContent>;
  /** By identifier. */
  transactions(institutionId: string): Iterable<TransactionContent>;
  /** By transaction, then identifier. */
  postingsByTransaction(institutionId: string): Iterable<Omit<ChainedPostingRecord, "hash">>;
  /** Whose account it is. */
  customerOf(institutionId: string, accountId: string): string | undefined;
}

/** The bank's books with the audit entries of one type of subject, by subject, then position. */
export interface AuditedBooks extends BankBooks {
  audit(institutionId: string, subjectType: string): Iterable<AuditBook>;
}

/** An account with what money moves and the head of its chain of postings. */
export interface AccountBook extends AccountContent {
  readonly ledgerMinor: bigint;
  readonly holdMinor: bigint;
  /** Whether it is marked as the institution's own (D-55). */
  readonly institutionOwned?: boolean;
  readonly head: ChainHead;
}

const transactionColumns = `institution_id, id, reference_id, customer_id, status, currency, amount_minor,
  debtor_account_id, creditor_account_id, document_json, content_hash, created_at`;

/** The bank's books in a database. */
export function sqlBankBooks(source: BookRows): BankBooks {
  const rows = asker(source);
  const postingsByTransactionSql = `SELECT ${postingColumns} FROM ${source.through("postings", "postings_by_transaction")}
    WHERE institution_id = ? ORDER BY transaction_id, id`;
  return {
    count: (table) => Number([...rows(`SELECT count(*) FROM ${table}`)][0]?.[0]),
    accounts: function* (institutionId) {
      for (const row of rows(accountsSql, institutionId)) {
        yield {
          ...accountOf(row),
          ledgerMinor: integer(row[17]),
          holdMinor: integer(row[18]),
          head: { position: Number(row[19]), hash: String(row[20]) },
          institutionOwned: Number(row[21]) === 1,
        };
      }
    },
    postings: function* (institutionId) {
      for (const row of rows(postingsSql, institutionId)) {
        yield { ...postingOf(institutionId, row), hash: String(row[7]) };
      }
    },
    postingsByTransaction: function* (institutionId) {
      for (const row of rows(postingsByTransactionSql, institutionId)) {
        yield postingOf(institutionId, row);
      }
    },
    pending: function* (institutionId) {
      const sql = `SELECT ${transactionColumns} FROM transactions
        WHERE institution_id = ? AND status = 'PENDING' ORDER BY debtor_account_id, id`;
      for (const row of rows(sql, institutionId)) yield transactionOf(row);
    },
    transactions: function* (institutionId) {
      const sql = `SELECT ${transactionColumns} FROM transactions WHERE institution_id = ? ORDER BY id`;
      for (const row of rows(sql, institutionId)) yield transactionOf(row);
    },
    customerOf: (institutionId, accountId) => {
      const [row] = [...rows(customerSql, institutionId, accountId)];
      return row === undefined ? undefined : String(row[0]);
    },
  };
}

const accountsSql = `SELECT institution_id, id, customer_id, number, type, status, category, currency, pre_auth_minor,
  minimum_minor, sub_ledger_code, parent_id, legal_rep_ids, gl_account, custodial_customer_id, custodial_type,
  created_at, ledger_minor, hold_minor, posting_position, posting_hash, CASE WHEN institution_owned THEN 1 ELSE 0 END
  FROM accounts WHERE institution_id = ? ORDER BY id`;

function accountOf(row: Row): AccountContent {
  return {
    institutionId: String(row[0]),
    id: String(row[1]),
    customerId: String(row[2]),
    number: String(row[3]),
    type: String(row[4]),
    status: String(row[5]),
    category: String(row[6]),
    currency: String(row[7]),
    preAuthMinor: integer(row[8]),
    minimumMinor: integer(row[9]),
    subLedgerCode: String(row[10]),
    legalRepIds: JSON.parse(String(row[12])),
    glAccount: String(row[13]),
    createdAt: Number(row[16]),
    ...present("parentId", row[11]),
    ...present("custodialCustomerId", row[14]),
    ...present("custodialType", row[15]),
  };
}

function transactionOf(row: Row): TransactionContent {
  return {
    institutionId: String(row[0]),
    id: String(row[1]),
    referenceId: String(row[2]),
    customerId: String(row[3]),
    status: String(row[4]),
    currency: String(row[5]),
    amountMinor: integer(row[6]),
    debtorAccountId: String(row[7]),
    creditorAccountId: String(row[8]),
    documentJson: String(row[9]),
    contentHash: String(row[10]),
    createdAt: Number(row[11]),
  };
}

const postingColumns = "id, transaction_id, account_id, currency, amount_minor, created_at, position";
const postingsSql = `SELECT ${postingColumns}, hash FROM postings WHERE institution_id = ?
  ORDER BY account_id, position`;
const customerSql = "SELECT customer_id FROM accounts WHERE institution_id = ? AND id = ?";

function postingOf(institutionId: string, row: Row) {
  return {
    institutionId,
    id: String(row[0]),
    transactionId: String(row[1]),
    accountId: String(row[2]),
    currency: String(row[3]),
    amountMinor: integer(row[4]),
    createdAt: Number(row[5]),
    position: Number(row[6]),
  };
}

function integer(value: Value | undefined): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "string" || value === "") throw new TypeError("an amount that is no integer");
  return BigInt(value);
}

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
