import type { AccountContent, TransactionContent } from "../../domain/content-hashes.ts";
import { keyOf } from "../../../runtime/storage/common/sealed-places.ts";
import type {
  AuditBook,
  AuditedRows,
  AuditSubjects,
  Books,
} from "../../../runtime/storage/common/verify/index.ts";
import type { ColumnType, ColumnValue } from "../../../runtime/storage/tables/index.ts";

/** How the books in a database are read: streams over one state of it. */
export interface BookRows {
  rows(sql: string, values: readonly string[]): Iterable<Row>;
  placeholder(position: number): string;
  fromSql(type: ColumnType, value: Value): ColumnValue;
  /** The table of postings, read through its index by transaction. */
  readonly postingsByTransaction: string;
}

export type Value = string | number | bigint | boolean | null;
export type Row = readonly (Value | undefined)[];

const transactionColumns = `institution_id, id, reference_id, customer_id, status, currency, amount_minor,
  debtor_account_id, creditor_account_id, document_json, content_hash, created_at`;
const auditColumns = `sequence, institution_id, subject_type, subject_id, position, operation, changed_at, user_name,
  key_id, changes, content_hash, hash`;
const subjectConditions: Readonly<Record<AuditSubjects, string>> = {
  account: "subject_type = 'account'",
  transaction: "subject_type = 'transaction'",
  other: "subject_type NOT IN ('account', 'transaction')",
};

/** The books in a database, streamed through one connection that is inside a read transaction. */
// oxlint-disable-next-line max-lines-per-function -- every part shares the statements of one engine
export function sqlBooks({ rows: read, placeholder, fromSql, postingsByTransaction }: BookRows): Books {
  const rows = (sql: string, ...values: readonly string[]): Iterable<Row> => {
    let position = 0;
    return read(
      sql.replaceAll("?", () => placeholder((position += 1))),
      values,
    );
  };
  const postingsByTransactionSql = `SELECT ${postingColumns} FROM ${postingsByTransaction}
    WHERE institution_id = ? ORDER BY transaction_id, id`;
  return {
    institutions: () =>
      [
        ...rows(
          `SELECT id FROM institutions UNION SELECT DISTINCT institution_id FROM accounts
           UNION SELECT DISTINCT institution_id FROM transactions UNION SELECT DISTINCT institution_id FROM postings
           UNION SELECT DISTINCT institution_id FROM audit_entries ORDER BY 1`,
        ),
      ].map(([id]) => String(id)),
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
    audit: function* (institutionId, subjects) {
      const sql = `SELECT ${auditColumns} FROM audit_entries
        WHERE institution_id = ? AND ${subjectConditions[subjects]} ORDER BY subject_type, subject_id, position`;
      for (const row of rows(sql, institutionId)) yield auditOf(row);
    },
    records: function* (institutionId, audited) {
      const { columns } = audited.table;
      for (const row of rows(recordsSql(audited), institutionId)) {
        yield columns.map(({ type, index }) => fromSql(type, row[index] ?? null));
      }
    },
    sealKeyId: () => {
      const [row] = [...rows("SELECT key_id FROM seal_keys WHERE state = 'CURRENT'")];
      return row === undefined ? undefined : String(row[0]);
    },
    sealedTexts: function* ({ table, column }) {
      const sql = `SELECT ${column}, ${keyOf(table).join(", ")} FROM ${table} WHERE ${column} IS NOT NULL`;
      for (const [text, ...key] of rows(sql)) yield [key.join(" "), String(text)];
    },
    auditInOrder: function* () {
      for (const [sequence, institutionId, number, hash] of rows(auditInOrderSql)) {
        yield {
          sequence: Number(sequence),
          institutionId: String(institutionId),
          hash: String(hash),
          ...(number !== null && { number: Number(number) }),
        };
      }
    },
    roots: () =>
      [...rows("SELECT sequence, hash, created_at FROM chain_roots ORDER BY sequence")].map(
        ([sequence, hash, createdAt]) => ({
          sequence: Number(sequence),
          hash: String(hash),
          createdAt: Number(createdAt),
        }),
      ),
    customerOf: (institutionId, accountId) => {
      const [row] = [...rows(customerSql, institutionId, accountId)];
      return row === undefined ? undefined : String(row[0]);
    },
  };
}

/** What was added to PostgreSQL since numbers were given has none yet. */
const auditInOrderSql =
  "SELECT sequence, institution_id, number, hash FROM audit_entries WHERE sequence IS NOT NULL ORDER BY sequence";

/** Values that are sealed are not compared: JSON `null` stands for them, so that a row can be decoded without the key. */
function recordsSql({ table, subject, owner, isOfUser }: AuditedRows): string {
  const columns = table.columns.map(({ name, sealed }) => (sealed === undefined ? name : "'null'"));
  const owners = isOfUser ? "(SELECT user_name FROM users WHERE institution_id = ?)" : "(?)";
  return `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${owner.name} IN ${owners} ORDER BY ${subject.name}`;
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

function auditOf(row: Row): AuditBook {
  return {
    sequence: Number(row[0]),
    institutionId: String(row[1]),
    subjectType: String(row[2]),
    subjectId: String(row[3]),
    position: Number(row[4]),
    operation: String(row[5]),
    changedAt: Number(row[6]),
    changes: String(row[9]),
    hash: String(row[11]),
    ...present("userName", row[7]),
    ...present("keyId", row[8]),
    ...present("contentHash", row[10]),
  };
}

function present<Name extends string>(
  name: Name,
  value: Value | undefined,
): { readonly [Member in Name]?: string } {
  const member: { [Member in Name]?: string } = {};
  if (value !== null && value !== undefined) member[name] = String(value);
  return member;
}

function integer(value: Value | undefined): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "string" || value === "") throw new TypeError("an amount that is no integer");
  return BigInt(value);
}
