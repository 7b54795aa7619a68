import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  accountContentHash,
  auditHash,
  postingHash,
  transactionContentHash,
  type AccountContent,
  type TransactionContent,
} from "../../../domain/index.ts";
import type { AuditDraft, PostingRecord } from "../../../ports/index.ts";
import type { SqliteValue } from "../dialect.ts";

/** Rows that are read before they are written: not the table while it changes. */
const rowsAtOnce = 10_000;

/**
 * Links the postings that were kept before there were chains, and begins the chains of accounts and transactions with
 * what they are. Columns are named one by one: later migrations add others.
 */
export function fillChains(database: DatabaseSync): void {
  linkPostings(database);
  const changedAt = Date.now();
  const append = auditAppender(database);
  for (const row of rowsOf(database, accountsSql)) {
    const account = accountOf(row);
    append({
      institutionId: account.institutionId,
      subjectType: "account",
      subjectId: account.id,
      operation: "migration",
      changedAt,
      changes: [{ field: "status", to: account.status }],
      contentHash: accountContentHash(account),
    });
  }
  const postings = reader(
    database,
    `SELECT id, account_id, currency, amount_minor, created_at FROM postings
     WHERE institution_id = ? AND transaction_id = ?`,
  );
  for (const row of rowsOf(database, transactionsSql)) {
    const transaction = transactionOf(row);
    const posted = postings(transaction.institutionId, transaction.id).map(
      ([id, accountId, currency, amountMinor, createdAt]) => ({
        id: String(id),
        accountId: String(accountId),
        currency: String(currency),
        amountMinor: BigInt(amountMinor ?? 0),
        createdAt: Number(createdAt),
      }),
    );
    append({
      institutionId: transaction.institutionId,
      subjectType: "transaction",
      subjectId: transaction.id,
      operation: "migration",
      changedAt,
      changes: [{ field: "status", to: transaction.status }],
      contentHash: transactionContentHash(transaction, posted),
    });
  }
}

function linkPostings(database: DatabaseSync): void {
  const page = reader(
    database,
    `SELECT institution_id, account_id, position, id, transaction_id, currency, amount_minor, created_at
     FROM postings
     WHERE (institution_id, account_id, position) > (?, ?, ?)
     ORDER BY institution_id, account_id, position LIMIT ${rowsAtOnce}`,
  );
  const link = database.prepare(
    "UPDATE postings SET hash = ? WHERE institution_id = ? AND account_id = ? AND position = ?",
  );
  const keepHead = database.prepare(
    "UPDATE accounts SET posting_position = ?, posting_hash = ? WHERE institution_id = ? AND id = ?",
  );
  let place: [string, string, number] = ["", "", 0];
  let previousHash = "";
  for (let rows = page(...place); rows.length > 0; rows = page(...place)) {
    for (const [
      institutionId,
      accountId,
      number,
      id,
      transactionId,
      currency,
      amountMinor,
      createdAt,
    ] of rows) {
      const position = Number(number);
      const posting: PostingRecord = {
        id: String(id),
        institutionId: String(institutionId),
        transactionId: String(transactionId),
        accountId: String(accountId),
        currency: String(currency),
        amountMinor: BigInt(amountMinor ?? 0),
        createdAt: Number(createdAt),
      };
      if (position === 1) {
        if (place[2] > 0) keepHead.run(place[2], previousHash, place[0], place[1]);
        previousHash = "";
      }
      previousHash = postingHash(posting, { position, previousHash });
      place = [posting.institutionId, posting.accountId, position];
      link.run(previousHash, ...place);
    }
  }
  if (place[2] > 0) keepHead.run(place[2], previousHash, place[0], place[1]);
}

/** Every subject's first entry. */
function auditAppender(database: DatabaseSync): (entry: AuditDraft) => void {
  const insert = database.prepare(
    `INSERT INTO audit_entries
       (institution_id, subject_type, subject_id, position, operation, changed_at, changes, content_hash, hash)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)`,
  );
  return (entry) => {
    const {
      institutionId,
      subjectType,
      subjectId,
      operation,
      changedAt,
      changes,
      contentHash = null,
    } = entry;
    const hash = auditHash(entry, { position: 1, previousHash: "" });
    const text = JSON.stringify(changes);
    insert.run(institutionId, subjectType, subjectId, operation, changedAt, text, contentHash, hash);
  };
}

/** The columns of accounts as of this migration, in the order of `accountOf`. */
const accountsSql = `SELECT institution_id, id, customer_id, number, type, status, category, currency, pre_auth_minor,
  minimum_minor, sub_ledger_code, parent_id, legal_rep_ids, gl_account, custodial_customer_id, custodial_type, created_at
  FROM accounts ORDER BY institution_id, id`;

function accountOf(row: readonly SqliteValue[]): AccountContent {
  const text = (index: number): string => String(row[index]);
  const optional = (index: number): string | undefined => (row[index] === null ? undefined : text(index));
  const [parentId, custodialCustomerId, custodialType] = [optional(11), optional(14), optional(15)];
  return {
    institutionId: text(0),
    id: text(1),
    customerId: text(2),
    number: text(3),
    type: text(4),
    status: text(5),
    category: text(6),
    currency: text(7),
    preAuthMinor: BigInt(row[8] ?? 0),
    minimumMinor: BigInt(row[9] ?? 0),
    subLedgerCode: text(10),
    legalRepIds: JSON.parse(text(12)),
    glAccount: text(13),
    createdAt: Number(row[16]),
    ...(parentId !== undefined && { parentId }),
    ...(custodialCustomerId !== undefined && { custodialCustomerId }),
    ...(custodialType !== undefined && { custodialType }),
  };
}

const transactionsSql = `SELECT institution_id, id, reference_id, customer_id, status, currency, amount_minor,
  debtor_account_id, creditor_account_id, document_json, content_hash, created_at
  FROM transactions ORDER BY institution_id, id`;

function transactionOf(row: readonly SqliteValue[]): TransactionContent {
  const text = (index: number): string => String(row[index]);
  return {
    institutionId: text(0),
    id: text(1),
    referenceId: text(2),
    customerId: text(3),
    status: text(4),
    currency: text(5),
    amountMinor: BigInt(row[6] ?? 0),
    debtorAccountId: text(7),
    creditorAccountId: text(8),
    documentJson: text(9),
    contentHash: text(10),
    createdAt: Number(row[11]),
  };
}

function* rowsOf(database: DatabaseSync, sql: string): Generator<readonly SqliteValue[]> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) yield valuesOf(row);
}

function reader(
  database: DatabaseSync,
  sql: string,
): (...values: readonly SQLInputValue[]) => readonly (readonly SqliteValue[])[] {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return (...values) => statement.all(...values).map(valuesOf);
}

/** `setReturnArrays` is declared nowhere in the type of a row. */
function valuesOf(row: unknown): readonly SqliteValue[] {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}
