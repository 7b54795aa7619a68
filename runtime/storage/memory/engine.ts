import { fitsLedger, type ChainHead } from "../../domain/index.ts";
import {
  DuplicateRecordError,
  type AccountListing,
  type AccountQuery,
  type ListedAccount,
  type TransactionQuery,
  type TransactionRecord,
} from "../../ports/index.ts";
import { compareCodePoints } from "../condition/code-points.ts";
import { matches, orderHolds } from "../condition/matches.ts";
import type { ReadEngine, Update, WriteEngine } from "../common/engine.ts";
import {
  linkPostings,
  noHead,
  otherCurrency,
  outOfRange,
  type PostingPlan,
} from "../../../ledger/books/posting-plan.ts";
import { partRead, type Condition, type Query, type QueryShape } from "../common/queries.ts";
import {
  accounts,
  customers,
  institutions,
  postings,
  transactions,
  type ColumnShape,
  type ColumnValue,
  type Table,
  type TableShape,
} from "../tables/index.ts";
import { listedAccount } from "../../../ledger/tables/listed-account.ts";
import { copyOf, drop, keyText, put, textOf, type Row, type TableRows } from "./rows.ts";
import type { StateDraft, StateReader } from "./state.ts";

export function readEngine(state: StateReader): ReadEngine {
  return {
    one: (query, values) => {
      const [row] = selected(state, query, values);
      return row === undefined ? undefined : query.table.decode(row);
    },
    many: (query, values) => {
      const { columns, decode } = partRead(query);
      return selected(state, query, values).map((row) =>
        decode(columns.map(({ index }) => row[index] ?? null)),
      );
    },
    count: (query, values) => selected(state, { ...query, limited: false }, values).length,
    listAccounts: (query) => listAccounts(state, query),
    listTransactions: (query) => listTransactions(state, query),
  };
}

export function writeEngine(state: StateDraft): WriteEngine {
  return {
    ...readEngine(state),
    insertAll: (table, records) => {
      for (const record of records) write(state, table, numbered(state, table, table.encode(record)));
    },
    putAll: (table, records) => {
      for (const record of records) {
        const row = table.encode(record);
        write(state, table, row, state.rows(table).byKey.get(textOf(row, table.key)));
      }
    },
    replace: (table, record) => {
      const row = [...table.encode(record)];
      const former = state.rows(table).byKey.get(textOf(row, table.key));
      if (former === undefined) throw new Error(`${table.name}: no record to replace`);
      for (const { index } of table.keptByReplace) row[index] = former[index] ?? null;
      write(state, table, row, former);
    },
    updateAll: (query, updates) => updates.map((update) => change(state, query, update)),
    take: ({ table, ...query }, values) => {
      const found = selected(state, { table, ...query }, values);
      for (const row of found) drop(table, state.ownRows(table), row);
      return found.map((row) => table.decode(row));
    },
    remove: ({ table, ...query }, values) => {
      const found = selected(state, { table, ...query }, values);
      for (const row of found) drop(table, state.ownRows(table), row);
    },
    append: (plan) => append(state, plan),
  };
}

/** In place of `former`, where there is one. */
function write(state: StateDraft, table: TableShape, row: Row, former?: Row): void {
  requireReferences(state, table, row);
  put(table, state.ownRows(table), row, former);
}

/** Gives how many records it changed. */
function change<R>(state: StateDraft, query: Query<R>, { values, changes }: Update<R>): number {
  const { table } = query;
  const found = selected(state, query, values);
  const { columns, encode } = table.changeOf(changes);
  const encoded = encode(changes);
  for (const former of found) {
    const row = [...former];
    for (const [place, { index }] of columns.entries()) row[index] = encoded[place] ?? null;
    write(state, table, row, former);
  }
  return found.length;
}

/** Works on copies, taken over once nothing can fail any more. */
function append(state: StateDraft, plan: PostingPlan): void {
  const postingRows = copyOf(state.rows(postings));
  requireFreeIds(plan, postingRows);
  for (const posting of linkPostings(plan, headsOf(plan, postingRows))) {
    const row = postings.encode(posting);
    requireReferences(state, postings, row);
    put(postings, postingRows, row);
  }
  const accountRows = copyOf(state.rows(accounts));
  for (const move of plan.moves) {
    const former = accountRows.byKey.get(keyText([plan.institutionId, move.accountId]));
    const account = former === undefined ? undefined : accounts.decode(former);
    if (account?.currency !== move.currency) throw new Error(otherCurrency(move));
    if (!fitsLedger(account.ledgerMinor + move.byMinor)) throw new RangeError(outOfRange(move));
    const moved = { ...account, ledgerMinor: account.ledgerMinor + move.byMinor };
    put(accounts, accountRows, accounts.encode(moved), former);
  }
  state.adopt(postings, postingRows);
  state.adopt(accounts, accountRows);
}

function requireFreeIds(
  { institutionId, transactionId, postings: added }: PostingPlan,
  rows: TableRows,
): void {
  const taken = new Set<string>();
  for (const row of rows.byKey.values()) {
    const kept = postings.decode(row);
    if (kept.institutionId === institutionId && kept.transactionId === transactionId) taken.add(kept.id);
  }
  for (const { id } of added) {
    if (taken.has(id)) throw new DuplicateRecordError("postings: an identifier is taken");
    taken.add(id);
  }
}

/** The last links of the plan's accounts. */
function headsOf({ institutionId, moves }: PostingPlan, rows: TableRows): Map<string, ChainHead> {
  const heads = new Map<string, ChainHead>(moves.map(({ accountId }) => [accountId, noHead]));
  for (const row of rows.byKey.values()) {
    const kept = postings.decode(row);
    const head = heads.get(kept.accountId);
    if (kept.institutionId !== institutionId || head === undefined) continue;
    if (kept.position > head.position) heads.set(kept.accountId, kept);
  }
  return heads;
}

/** With the next numbers, where the store gives some. */
function numbered(state: StateReader, table: TableShape, row: Row): Row {
  const { byKey } = state.rows(table);
  return table.numbered.reduce((given: Row, { column, within }) => {
    if ((given[column.index] ?? null) !== null) return given;
    const isWith = (other: Row): boolean => within !== undefined && other[within.index] === row[within.index];
    const count = within === undefined ? byKey.size : byKey.values().filter(isWith).toArray().length;
    return given.with(column.index, count + 1);
  }, row);
}

function listAccounts(state: StateReader, query: AccountQuery): readonly AccountListing[] {
  const { institutionId, customerIds, condition, offset, limit } = query;
  return [...state.rows(accounts).byKey.values()]
    .map((row) =>
      listing(state, listedAccount.decode(listedAccount.columns.map(({ index }) => row[index] ?? null))),
    )
    .filter(({ account }) => account.institutionId === institutionId)
    .filter(({ account }) => customerIds?.includes(account.customerId) ?? true)
    .filter((listed) => condition === undefined || matches(condition, listed))
    .toSorted(
      ({ account: left }, { account: right }) =>
        left.createdAt - right.createdAt || compareCodePoints(left.id, right.id),
    )
    .slice(offset, offset + limit);
}

function listTransactions(state: StateReader, query: TransactionQuery): readonly TransactionRecord[] {
  const { institutionId, accountId, customerIds, offset, limit } = query;
  return [...state.rows(transactions).byKey.values()]
    .map((row) => transactions.decode(row))
    .filter((transaction) => transaction.institutionId === institutionId)
    .filter(({ debtorAccountId, creditorAccountId }) =>
      [debtorAccountId, creditorAccountId].includes(accountId),
    )
    .filter(({ customerId }) => customerIds?.includes(customerId) ?? true)
    .toSorted((left, right) => left.createdAt - right.createdAt || compareCodePoints(left.id, right.id))
    .slice(offset, offset + limit);
}

function listing(state: StateReader, account: ListedAccount): AccountListing {
  const nameOf = <R extends { readonly name: string }>(
    table: Table<R>,
    key: readonly ColumnValue[],
  ): string => {
    const row = state.rows(table).byKey.get(keyText(key));
    if (row === undefined) throw new Error(`${table.name}: an account refers to a missing record`);
    return table.decode(row).name;
  };
  return {
    account,
    customerName: nameOf(customers, [account.institutionId, account.customerId]),
    institutionName: nameOf(institutions, [account.institutionId]),
  };
}

/** `values` go with `where` in order; where the query is limited, the last one is the limit. */
function selected(state: StateReader, query: QueryShape, values: readonly ColumnValue[]): readonly Row[] {
  const { byKey } = state.rows(query.table);
  const { where, present, absent, order, descending, after, firstOf, limited } = query;
  if (isByKey(query)) {
    const row = byKey.get(keyText(values));
    return row === undefined ? [] : [row];
  }
  const found = [...byKey.values()].filter(
    (row) =>
      where.every(({ column, op }, index) => holds(op, row[column.index], values[index])) &&
      (present === undefined || (row[present.index] ?? null) !== null) &&
      (absent === undefined || (row[absent.index] ?? null) === null),
  );
  const columns = order === undefined || order === "insertion" ? [] : order;
  const compareRows = inOrderOf(columns, descending ? -1 : 1);
  const ordered = columns.length === 0 ? found : found.toSorted(compareRows);
  const place = placeOf(columns, values.slice(where.length));
  const rest = after ? ordered.filter((row) => compareRows(row, place) > 0) : ordered;
  const kept = firstOf === undefined ? rest : firstOfEach(rest, firstOf);
  return limited ? kept.slice(0, Number(values.at(-1))) : kept;
}

/** The first row of each value of a column, in the order of these values. */
function firstOfEach(rows: readonly Row[], column: ColumnShape): readonly Row[] {
  const firsts = Map.groupBy(rows, (row) => String(row[column.index])).values();
  return [...firsts].flatMap((own) => own.slice(0, 1)).toSorted(inOrderOf([column], 1));
}

/** A row with the values of a place in the order. */
function placeOf(columns: readonly ColumnShape[], values: readonly ColumnValue[]): Row {
  const row: ColumnValue[] = [];
  for (const [index, column] of columns.entries()) row[column.index] = values[index] ?? null;
  return row;
}

function isByKey({ table, where }: QueryShape): boolean {
  return (
    where.length === table.key.length &&
    where.every(({ column, op }, index) => op === "=" && column === table.key[index])
  );
}

function inOrderOf(columns: readonly ColumnShape[], direction: 1 | -1) {
  return (left: Row, right: Row): number => {
    for (const { index } of columns) {
      const difference = compare(left[index], right[index]);
      if (difference !== 0) return difference * direction;
    }
    return 0;
  };
}

/** Columns that queries compare hold text or numbers, never both. */
function compare(left: ColumnValue | undefined, right: ColumnValue | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}

/** An absent value compares with nothing. */
function holds(op: Condition["op"], kept: ColumnValue | undefined, value: ColumnValue | undefined): boolean {
  if (kept === null || kept === undefined) return false;
  if (op === "contains") return String(kept).includes(String(value));
  if (op === "in") return isOneOf(kept, value);
  return orderHolds(op, compare(kept, value));
}

function isOneOf(kept: ColumnValue, texts: ColumnValue | undefined): boolean {
  const list: unknown = JSON.parse(String(texts));
  return Array.isArray(list) && list.includes(kept);
}

function requireReferences(state: StateReader, table: TableShape, row: Row): void {
  for (const { columns, to } of table.references) {
    const key = columns.map(({ index }) => row[index] ?? null);
    if (key.includes(null)) continue;
    const isSelf = to() === table && keyText(key) === textOf(row, table.key);
    if (isSelf || state.rows(to()).byKey.has(keyText(key))) continue;
    throw new Error(`${table.name}: the record refers to one that does not exist`);
  }
}
