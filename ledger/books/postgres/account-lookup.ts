import type { Sealing } from "../../../runtime/store/common/sealing.ts";
import { decodeRow } from "../../../runtime/store/sql/decode-row.ts";
import {
  institutionById,
  institutions,
  type ColumnValue,
  type PartQuery,
  type Query,
  type QueryShape,
  type TableShape,
} from "../../../runtime/store/tables/index.ts";
import {
  accountById,
  accounts,
  customerById,
  customers,
  legalRepById,
  legalReps,
  legalRepsByIds,
} from "../../tables/index.ts";
import type { PgRow, Session } from "../../../runtime/store/postgres/connections.ts";
import { pgDialect, type PgValue } from "../../../runtime/store/postgres/dialect.ts";
import { soughtKeys, type AccountBatch, type AccountKey } from "./account-batch.ts";

/**
 * An account with what a full answer about it names: its customer, institution, parent and legal representatives, found
 * by one statement.
 */
export interface AccountLookup {
  /** Looks the account up. To be called once. */
  account<R>(query: Query<R>, values: readonly ColumnValue[]): Promise<R | undefined>;
  /** A record that was found with the account; `undefined` where it was not. */
  beside<R>(query: Query<R>, values: readonly ColumnValue[]): Promise<R | undefined>;
  /** The records that were found with the account; `undefined` unless all that are asked for were. */
  besideAll<R>(
    query: Query<R> | PartQuery<R>,
    values: readonly ColumnValue[],
  ): Promise<readonly R[] | undefined>;
  /** Asks again at once. Rejects with a `StaleLookupError` where the answer differs. */
  requireSame(session: Session): Promise<void>;
}

/** The record was changed after it was looked up: the result must not be used. */
export class StaleLookupError extends Error {
  override readonly name = "StaleLookupError";
}

/** A row as one value: describing and reading a hundred columns takes longer than finding them. */
function rowOf(table: TableShape, alias: string): string {
  const values = table.columns.map(
    ({ name, type }) => `${alias}.${name}${type === "boolean" ? "" : "::text"}`,
  );
  return `json_build_array(${values.join(", ")})`;
}

/**
 * For each key its place and four things: the account and its parent, the customer, the institution, the legal
 * representatives, each as rows, all as one JSON text. No joins: their planner may read all accounts of the institution
 * while it knows little of the tables.
 */
export const accountLookupSql =
  "SELECT sought.place, (SELECT json_build_array(" +
  `json_build_array(${rowOf(accounts, "a")}, (SELECT ${rowOf(accounts, "p")} FROM accounts p ` +
  "WHERE p.institution_id = a.institution_id AND p.id = a.parent_id)), " +
  `(SELECT json_build_array(${rowOf(customers, "c")}) FROM customers c ` +
  "WHERE c.institution_id = a.institution_id AND c.id = a.customer_id), " +
  `(SELECT json_build_array(${rowOf(institutions, "i")}) FROM institutions i WHERE i.id = a.institution_id), ` +
  `(SELECT json_agg(${rowOf(legalReps, "r")}) FROM legal_reps r WHERE r.institution_id = a.institution_id ` +
  "AND r.id = ANY (ARRAY(SELECT jsonb_array_elements_text(a.legal_rep_ids::jsonb))))) " +
  "FROM accounts a WHERE a.institution_id = sought.institution_id AND a.id = sought.id) " +
  "FROM unnest(ARRAY(SELECT json_array_elements_text($1::json)), ARRAY(SELECT json_array_elements_text($2::json))) " +
  "WITH ORDINALITY AS sought (institution_id, id, place)";

const looked: readonly QueryShape[] = [accountById, customerById, institutionById, legalRepById];

/** Whether it is a question for one account by its key. */
export function isAccountQuery(query: QueryShape): boolean {
  return query === accountById;
}

function isLegalRepsQuery(query: QueryShape): boolean {
  return query === legalRepsByIds;
}

/** A parent that is not there is null. */
type FoundRows = readonly (PgRow | null)[];

interface Asked {
  readonly key: AccountKey;
  /** The text that the server sent. */
  readonly text: Promise<PgValue | undefined>;
  /** The rows of each query of `looked`; none where there is no such account. */
  readonly found: Promise<readonly (FoundRows | null)[]>;
}

/** Nothing is asked before the first `account`. */
export function createAccountLookup(batch: AccountBatch, sealing: Sealing): AccountLookup {
  let asked: Asked | undefined;

  async function beside<R>(query: Query<R>, values: readonly ColumnValue[]): Promise<R | undefined> {
    const rows = (await asked?.found)?.[looked.indexOf(query)] ?? [];
    const row = rows.find((each) => query.table.key.every(({ index }, at) => each?.[index] === values[at]));
    return row == null ? undefined : decodeRow(query.table, row, pgDialect, sealing);
  }

  async function besideAll<R>(
    query: Query<R> | PartQuery<R>,
    [institutionId, ids]: readonly ColumnValue[],
  ): Promise<readonly R[] | undefined> {
    if (query.part !== undefined || !isLegalRepsQuery(query)) return undefined;
    const { table } = query;
    const sought: readonly string[] = JSON.parse(String(ids));
    const keys = new Set(sought.map((id) => JSON.stringify([institutionId, id])));
    const rows = (await asked?.found)?.[looked.indexOf(legalRepById)] ?? [];
    const found = rows.filter(
      (row) => row !== null && keys.has(JSON.stringify(table.key.map(({ index }) => row[index]))),
    );
    if (found.length < keys.size) return undefined;
    return found.flatMap((row) => (row === null ? [] : decodeRow(table, row, pgDialect, sealing)));
  }

  return {
    beside,
    besideAll,
    account: (query, [institutionId, id]) => {
      const key: AccountKey = [String(institutionId), String(id)];
      const text = batch.find(key);
      asked = { key, text, found: text.then(rowsOf) };
      return beside(query, key);
    },
    requireSame: async (session) => {
      if (asked === undefined) return;
      const again = session.rows(accountLookupSql, soughtKeys([asked.key]));
      const [before, [[, now] = []]] = await Promise.all([asked.text, again]);
      if (before !== (now ?? undefined)) throw new StaleLookupError("the account was changed meanwhile");
    },
  };
}

function rowsOf(text: PgValue | undefined): readonly (FoundRows | null)[] {
  return text === undefined ? [] : JSON.parse(String(text));
}
