import { fitsLedger, type ChainHead } from "../../../domain/index.ts";
import {
  DuplicateRecordError,
  type AccountListing,
  type AccountQuery,
  type TransactionQuery,
} from "../../../ports/index.ts";
import type { ReadEngine, WriteEngine } from "../../common/engine.ts";
import {
  linkPostings,
  noHead,
  otherCurrency,
  outOfRange,
  type PostingPlan,
} from "../../../../ledger/books/posting-plan.ts";
import { byKey, partRead, type PartQuery, type Query, type QueryShape } from "../../common/queries.ts";
import type { Sealing } from "../../common/sealing.ts";
import { decodeRow } from "../../sql/decode-row.ts";
import { oncePer } from "../../../contract/once-per.ts";
import { createStatementCache, replacementOf } from "../../sql/statement-cache.ts";
import {
  accounts,
  postings,
  transactions,
  type ColumnValue,
  type Table,
  type TableShape,
} from "../../tables/index.ts";
import { unmarkAccounts } from "./account-marks.ts";
import type { Session } from "../connections.ts";
import { pgDialect, pgValue, soughtValue, type PgValue } from "../dialect.ts";
import { storeErrorOf } from "../errors.ts";
import type { Unmark } from "./mark-all.ts";
import { unmarkTransactions } from "./transaction-marks.ts";

const statements = createStatementCache(pgDialect);

/** Parts of a read engine that its store supplies. */
export interface Delegates {
  listAccounts(session: Session, query: AccountQuery): Promise<readonly AccountListing[]>;
  listTransactions(session: Session, query: TransactionQuery): Promise<readonly (readonly PgValue[])[]>;
}

/** Answers from one session, inside its transaction. */
export function readEngine(session: Session, sealing: Sealing, delegates: Delegates): ReadEngine {
  const many = async <R>(
    query: Query<R> | PartQuery<R>,
    values: readonly ColumnValue[],
  ): Promise<readonly R[]> => {
    const rows = await session.rows(statements.select(query).sql, sought(values));
    const part = partRead(query);
    return rows.map((row) => decodeRow(part, row, pgDialect, sealing));
  };
  return {
    one: async (query, values) => (await many(query, values))[0],
    many,
    count: async (query, values) => {
      const [row] = await session.rows(statements.count(query).sql, sought(values));
      return Number(row?.[0]);
    },
    listAccounts: (query) => delegates.listAccounts(session, query),
    listTransactions: async (query) => {
      const rows = await delegates.listTransactions(session, query);
      return rows.map((row) => decodeRow(transactions, row, pgDialect, sealing));
    },
  };
}

/** Changes through a session that has a transaction open. */
// oxlint-disable-next-line max-lines-per-function -- a table of the changes that an engine makes, over one connection
export function writeEngine(session: Session, sealing: Sealing, delegates: Delegates): WriteEngine {
  const reads = readEngine(session, sealing, delegates);
  const change = async (table: string, sql: string, values: readonly PgValue[]): Promise<number> => {
    try {
      return await session.change(sql, values);
    } catch (error) {
      throw storeErrorOf(table, error);
    }
  };
  const writeAll = async <R>(sql: string, table: Table<R>, records: readonly R[]): Promise<void> => {
    // Encoded first: a value that cannot be kept is refused before anything is sent.
    const encoded = records.map((record) => table.encode(record));
    const rows = encoded.map((values) => kept(sealing.sealed(table.columns, values)));
    for (const written of await together(rows.map((values) => change(table.name, sql, values)))) {
      if (written === 0) {
        throw new DuplicateRecordError(`${table.name}: an identifier or unique field is taken`);
      }
    }
  };

  /** Whether no other transaction has the turn that a query waits for. */
  const hasTurn = async ({ locks }: QueryShape): Promise<boolean> =>
    locks !== "turn" || (await session.rows(turnSql, [])).length > 0;
  const many = async <R>(
    query: Query<R> | PartQuery<R>,
    values: readonly ColumnValue[],
  ): Promise<readonly R[]> => {
    if (query.locks === undefined) return reads.many(query, values);
    if (!(await hasTurn(query))) return [];
    if (query.locks === "turn") return reads.many(query, values);
    const rows = await session.rows(lockingSql(query), sought(values));
    const part = partRead(query);
    return rows.map((row) => decodeRow(part, row, pgDialect, sealing));
  };

  return {
    ...reads,
    many,
    one: async (query, values) => (await many(query, values))[0],
    insertAll: async (table, records) => {
      const unmark = unmarks.get(table.name);
      const unmarkEach = unmark === undefined ? [] : records.map((record) => unmark(table.encode(record)));
      const unmarked = unmarkEach.map(
        async ({ sql, values }) => void (await change(table.name, sql, kept(values))),
      );
      await together([writeAll(insertSql(table), table, records), ...unmarked]);
    },
    putAll: (table, records) => writeAll(statements.put(table).sql, table, records),
    replace: async (table, record, before) => {
      const { sql, parameters } = replacementOf(statements, table, record, before);
      const values = sealing.sealed(parameters, table.encodeColumns(record, parameters));
      const touched = await change(table.name, sql, kept(values));
      if (touched === 0) throw new Error(`${table.name}: no record to replace`);
    },
    updateAll: async (query, all) =>
      together(
        all.map(async ({ values, changes }) => {
          const fields = query.table.changeOf(changes);
          const statement = statements.update(query)(fields.columns);
          const given = [...sealing.sealed(fields.columns, fields.encode(changes)), ...values];
          return change(query.table.name, statement.sql, kept(given));
        }),
      ),
    take: async (query, values) => {
      if (!(await hasTurn(query))) return [];
      const rows = await session.rows(statements.select(query).sql, sought(values));
      const { sql } = statements.delete(byKey(query.table));
      const keys = rows.map((row) => query.table.key.map(({ index }) => row[index] ?? null));
      await together(keys.map((key) => change(query.table.name, sql, key)));
      return rows.map((row) => decodeRow(query.table, row, pgDialect, sealing));
    },
    remove: async (query, values) => {
      await change(query.table.name, statements.delete(query).sql, sought(values));
    },
    append: async (plan) => {
      const heads = await requireAppendable(session, plan);
      const linked = linkPostings(plan, heads);
      const moves = plan.moves.map(async (move) => {
        const { position, hash } = heads.get(move.accountId) ?? noHead;
        const values = [move.byMinor.toString(), position, hash, plan.institutionId, move.accountId];
        await change(accounts.name, moveSql, values);
      });
      await together([writeAll(insertSql(postings), postings, linked), ...moves]);
    },
  };
}

/** The statement to be executed with every row that is inserted: the marks behind it count one too few from then on. */
const unmarks: ReadonlyMap<string, (row: readonly ColumnValue[]) => Unmark> = new Map([
  [accounts.name, unmarkAccounts],
  [transactions.name, unmarkTransactions],
]);

/** A taken key makes no error, after which nothing could be done: it writes no row. */
const insertSql = oncePer((table: TableShape) => `${statements.insert(table).sql} ON CONFLICT DO NOTHING`);

/** Rows that the transaction is to change: it waits for others, or passes over what they hold. */
export const lockingSql = oncePer((query: QueryShape) => {
  const { sql } = statements.select(query);
  return `${sql} FOR NO KEY UPDATE${query.locks === "skip" ? " SKIP LOCKED" : ""}`;
});
const turnSql = "SELECT 1 FROM gate WHERE id = 2 FOR UPDATE SKIP LOCKED";

const moveSql =
  "UPDATE accounts SET ledger_minor = ledger_minor + $1, posting_position = $2, posting_hash = $3 " +
  "WHERE institution_id = $4 AND id = $5";
const transactionSql = "SELECT 1 FROM transactions WHERE institution_id = $1 AND id = $2";
const postingsSql = "SELECT id FROM postings WHERE institution_id = $1 AND transaction_id = $2";
/** Locked in one order: two transactions over the same accounts wait for each other, never both. */
const accountsSql =
  "SELECT id, ledger_minor, currency, posting_position, posting_hash FROM accounts " +
  "WHERE institution_id = $1 AND id = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb))) " +
  "ORDER BY id FOR NO KEY UPDATE";

/** Throws if any of the postings could not be written or any account not moved. Returns the accounts' last links. */
async function requireAppendable(
  session: Session,
  { institutionId, transactionId, postings: added, moves }: PostingPlan,
): Promise<Map<string, ChainHead>> {
  const ids = JSON.stringify(moves.map(({ accountId }) => accountId));
  const [transaction, present, rows] = await Promise.all([
    session.rows(transactionSql, [institutionId, transactionId]),
    session.rows(postingsSql, [institutionId, transactionId]),
    session.rows(accountsSql, [institutionId, ids]),
  ]);
  if (transaction.length === 0) throw new Error("postings.append: the transaction does not exist");
  const taken = new Set(present.map(([id]) => id));
  for (const { id } of added) {
    if (taken.has(id)) throw new DuplicateRecordError("postings: an identifier is taken");
    taken.add(id);
  }
  const accounts = new Map(rows.map((row) => [row[0], row]));
  const heads = new Map<string, ChainHead>();
  for (const move of moves) {
    const [, ledgerMinor = null, currency, position, hash] = accounts.get(move.accountId) ?? [];
    if (ledgerMinor === null || currency !== move.currency) throw new Error(otherCurrency(move));
    if (!fitsLedger(BigInt(ledgerMinor) + move.byMinor)) throw new RangeError(outOfRange(move));
    heads.set(move.accountId, { position: Number(position), hash: String(hash) });
  }
  return heads;
}

/** Waits for all, so that nothing is under way when the first failure is thrown. */
async function together<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(all);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** Values that are looked for. */
function sought(values: readonly ColumnValue[]): readonly PgValue[] {
  return values.map(soughtValue);
}

/** Values that are to be kept. */
function kept(values: readonly ColumnValue[]): readonly PgValue[] {
  return values.map(pgValue);
}
