import { StoreOpenError } from "../../common/store-open-error.ts";
import type { Session } from "../../postgres/connections.ts";
import type { PgValue } from "../../postgres/dialect.ts";
import type { InstitutionRows } from "./rows-of-institution.ts";

/** Two databases, and the institution whose rows are to be the same in both. */
export interface Synchronization {
  readonly institutionId: string;
  readonly source: Session;
  readonly target: Session;
  /** Called with the number of rows written. */
  readonly onRows?: (count: number) => void;
  /** By table, which units alone are compared and copied: a text of JSON. Absent: all rows. */
  readonly chosen?: ReadonlyMap<string, string>;
}

/** Which of a table's rows are compared, and the names of their columns. */
export interface ComparedRows extends InstitutionRows {
  readonly columns: readonly string[];
  /** A condition. */
  readonly where: string;
}

const rowsAtOnce = 500;
/** PostgreSQL takes 65,535 values a statement. */
const valuesAtOnce = 30_000;

/**
 * Makes the institution's rows in the target those of the source: compares them by hashes of their values in 65,536 groups,
 * and writes again the groups that differ. Returns the number of rows written or removed: 0 says that both were equal.
 */
export async function synchronize(both: Synchronization, tables: readonly ComparedRows[]): Promise<number> {
  let count = 0;
  const differing = new Map<ComparedRows, readonly number[]>();
  for (const rows of tables) {
    const groups = await differingGroups(both, rows);
    if (groups.length > 0) differing.set(rows, groups);
  }
  for (const [rows, groups] of differing) count += await copyGroups(both, rows, groups);
  // Rows that refer to others go first.
  for (const [rows, groups] of [...differing].toReversed()) count += await removeSurplus(both, rows, groups);
  return count;
}

/** Throws a `StoreOpenError` unless the rows are the same in both. */
export async function requireSame(both: Synchronization, tables: readonly ComparedRows[]): Promise<void> {
  for (const rows of tables) {
    if ((await differingGroups(both, rows)).length === 0) continue;
    throw new StoreOpenError(
      `${rows.table}: the databases differ after the rows were copied, which no write explains. Nothing was moved; ` +
        "run the command again, and `ledger-server verify` on both databases if it says this again",
    );
  }
}

async function differingGroups(both: Synchronization, rows: ComparedRows): Promise<readonly number[]> {
  const { condition, values, isNone } = selected(both, rows);
  if (isNone) return [];
  const [there, here] = await Promise.all(
    [both.source, both.target].map((session) => session.rowsOnce(groupsSql(rows, condition), values)),
  );
  const sums = new Map(there?.map(([group, ...sum]) => [Number(group), sum.join()]));
  const differing: number[] = [];
  for (const [group, ...sum] of here ?? []) {
    const number = Number(group);
    if (sums.get(number) !== sum.join()) differing.push(number);
    sums.delete(number);
  }
  return [...differing, ...sums.keys()];
}

interface Selected {
  /** Which rows of a table are meant. */
  readonly condition: string;
  readonly values: readonly PgValue[];
  readonly isNone: boolean;
}

function selected(
  { institutionId, chosen }: Synchronization,
  { table, where, unit }: ComparedRows,
): Selected {
  if (chosen === undefined) return { condition: where, values: [institutionId], isNone: false };
  const names = unit.map(({ name }) => name).join(", ");
  const parts = unit
    .map(({ isNumber }, index) => `(unit->>${index})${isNumber ? "::BIGINT" : ""}`)
    .join(", ");
  const units = `SELECT ${parts} FROM jsonb_array_elements($2::jsonb) AS unit`;
  const of = chosen.get(table);
  return {
    condition: `${where} AND (${names}) IN (${units})`,
    values: [institutionId, of ?? "[]"],
    isNone: of === undefined,
  };
}

function groupsSql(rows: ComparedRows, condition: string): string {
  const { table, columns } = rows;
  return (
    `SELECT ${groupOf(rows)} AS part, count(*), ` +
    `sum(('x' || substr(md5(ROW(${columns.join(", ")})::TEXT), 1, 16))::BIT(64)::BIGINT) ` +
    `FROM ${table} WHERE ${condition} GROUP BY part`
  );
}

/** The group of a row, from 0 to 65,535, by its key. */
function groupOf({ key }: ComparedRows): string {
  return `('x' || substr(md5(concat_ws('/', ${key.join(", ")})), 1, 4))::BIT(16)::INTEGER`;
}

async function copyGroups(
  both: Synchronization,
  rows: ComparedRows,
  groups: readonly number[],
): Promise<number> {
  let count = 0;
  for await (const batch of rowsOfGroups(both.source, both, rows, groups, rows.columns)) {
    await put(both.target, rows, batch);
    count += batch.length;
    both.onRows?.(batch.length);
  }
  return count;
}

async function* rowsOfGroups(
  session: Session,
  both: Synchronization,
  rows: ComparedRows,
  groups: readonly number[],
  columns: readonly string[],
): AsyncGenerator<readonly (readonly PgValue[])[]> {
  const { table, order } = rows;
  const { condition, values } = selected(both, rows);
  const atOnce = Math.min(rowsAtOnce, Math.floor(valuesAtOnce / columns.length));
  await session.rowsOnce(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM ${table} ` +
      `WHERE ${condition} AND ${groupOf(rows)} = ANY ($${values.length + 1}::INTEGER[])` +
      (order === undefined ? "" : ` ORDER BY ${order}`),
    [...values, `{${groups.join()}}`],
  );
  for (;;) {
    const batch = await session.rowsOnce(`FETCH ${atOnce} FROM moved`, []);
    if (batch.length === 0) break;
    yield batch;
  }
  await session.execute("CLOSE moved");
}

async function put(
  target: Session,
  rows: ComparedRows,
  batch: readonly (readonly PgValue[])[],
): Promise<void> {
  const { table, columns, key } = rows;
  const width = columns.length;
  const places = batch.map(
    (_row, at) => `(${columns.map((_column, index) => `$${at * width + index + 1}`).join(", ")})`,
  );
  const others = columns.filter((column) => !key.includes(column));
  const changes = others.map((column) => `${column} = excluded.${column}`).join(", ");
  // A row of another institution with the same key is never written over.
  const isOurs = columns.includes("institution_id")
    ? ` WHERE ${table}.institution_id = excluded.institution_id`
    : "";
  const onConflict = others.length === 0 ? "NOTHING" : `UPDATE SET ${changes}${isOurs}`;
  const written = await target.rowsOnce(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${places.join(", ")} ` +
      `ON CONFLICT (${key.join(", ")}) DO ${onConflict} RETURNING 1`,
    batch.flat(),
  );
  if (others.length === 0 || written.length === batch.length) return;
  throw new StoreOpenError(
    `${table}: another institution of the target has rows with the same keys. Nothing was moved`,
  );
}

async function removeSurplus(
  both: Synchronization,
  rows: ComparedRows,
  groups: readonly number[],
): Promise<number> {
  const { source, target } = both;
  const kept = new Set<string>();
  for await (const batch of rowsOfGroups(source, both, rows, groups, rows.key)) {
    for (const key of batch) kept.add(JSON.stringify(key));
  }
  const surplus: (readonly PgValue[])[] = [];
  for await (const batch of rowsOfGroups(target, both, rows, groups, rows.key)) {
    for (const key of batch) if (!kept.has(JSON.stringify(key))) surplus.push(key);
  }
  const where = rows.key.map((column, index) => `${column} = $${index + 1}`).join(" AND ");
  for (const key of surplus) await target.change(`DELETE FROM ${rows.table} WHERE ${where}`, key);
  return surplus.length;
}
