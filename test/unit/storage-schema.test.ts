import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { migrations } from "../../runtime/storage/sqlite/migrations/index.ts";
import * as tables from "../../runtime/storage/tables/index.ts";
import type { ColumnShape, ColumnType } from "../../runtime/storage/tables/index.ts";

const database = new DatabaseSync(":memory:");
for (const { sql } of migrations) database.exec(sql);

const sqlTypes: Readonly<Record<ColumnType, string>> = {
  text: "TEXT",
  json: "TEXT",
  bigint: "INTEGER",
  integer: "INTEGER",
  boolean: "INTEGER",
  time: "INTEGER",
};

describe.each(Object.values(tables))("the migrated table $name", (table) => {
  let columns: readonly Row[] = [];
  beforeEach(() => {
    columns = query("SELECT * FROM pragma_table_info(?)", table.name).filter(
      ({ name }) => name !== table.sequenceColumn && !table.columnsBeside?.includes(String(name)),
    );
  });

  test("has the columns of its definition in any order, with their types and nothing optional but what is", () => {
    const found = columns.map(
      ({ name, type, notnull }) => `${String(name)} ${String(type)} ${String(notnull)}`,
    );
    const defined = table.columns.map(
      ({ name, type, optional }) => `${name} ${sqlTypes[type]} ${optional ? "0" : "1"}`,
    );
    expect(found.toSorted()).toEqual(defined.toSorted());
  });

  test("is STRICT, checks flags, and is keyed and unique as its definition says", () => {
    const [shape] = query("SELECT strict FROM pragma_table_list(?)", table.name);
    expect(shape?.["strict"]).toBe(1);
    const uniques = query('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1', table.name).map(
      ({ name }) =>
        query("SELECT name FROM pragma_index_info(?) ORDER BY seqno", String(name))
          .map((column) => column["name"])
          .join(),
    );
    const numbers = table.numbered.flatMap(({ column, within }) =>
      within === undefined ? [] : [[within, column]],
    );
    const expected = [table.key, ...table.unique, ...numbers].map(namesOf);
    expect(uniques.toSorted()).toEqual(expected.toSorted());
    const [definition] = query("SELECT sql FROM sqlite_schema WHERE name = ?", table.name);
    for (const { name, type } of table.columns) {
      if (type === "boolean") expect(definition?.["sql"]).toContain(`CHECK (${name} IN (0, 1))`);
    }
  });

  test("refers to other tables as its definition says", () => {
    const keys = new Map<unknown, Row[]>();
    for (const row of query("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq", table.name)) {
      keys.set(row["id"], [...(keys.get(row["id"]) ?? []), row]);
    }
    const references = [...keys.values()].map((rows) => {
      const of = (column: string) => rows.map((row) => row[column]).join();
      return `${of("from")} → ${String(rows[0]?.["table"])} (${of("to")})`;
    });
    const expected = table.references.map(
      ({ columns: from, to }) => `${namesOf(from)} → ${to().name} (${namesOf(to().key)})`,
    );
    expect(references.toSorted()).toEqual(expected.toSorted());
  });
});

type Row = Readonly<Record<string, SQLOutputValue>>;

function query(sql: string, parameter: string): readonly Row[] {
  return database.prepare(sql).all(parameter);
}

function namesOf(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => name).join();
}

test("deliveries and attempts of before their tables were made anew are kept", () => {
  const older = new DatabaseSync(":memory:");
  const [before, after] = [migrations.filter(({ number }) => number < 5), migrations.slice(4)];
  for (const { sql } of before) older.exec(sql);
  older.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO events VALUES
      ('e-1', 'i', 'Test', 'bank', '[]', 'c', '{}', 5, 6, NULL),
      ('e-2', 'i', 'Test', 'bank', '[]', 'c', '{}', 6, 7, NULL);
    INSERT INTO deliveries VALUES
      ('d-1', 'i', 's', 'e-1', 'Test', '[]', 1, 'PENDING', 0, 0, 7, 'c', 'k', NULL, NULL, 5),
      ('d-2', 'i', 's', 'e-2', 'Test', '[]', 2, 'DEAD', 9, 9, NULL, NULL, NULL, 8, NULL, 6);
    INSERT INTO delivery_attempts VALUES ('d-2', 9, 1, 2, 500, 'status', 'detail', 'response', 1);
    PRAGMA foreign_keys = ON;`);
  const kept = () =>
    ["deliveries", "delivery_attempts"].map((table) => older.prepare(`SELECT * FROM ${table}`).all());
  const known = kept();
  older.exec("BEGIN");
  for (const { sql } of after) older.exec(sql);
  older.exec("COMMIT");
  expect(kept()).toMatchObject(known);
  expect(known.map(({ length }) => length)).toEqual([2, 1]);
});

test("what users revoked before left behind ends with the migration (D-48)", () => {
  const older = new DatabaseSync(":memory:");
  older.exec("PRAGMA foreign_keys = OFF");
  const [before, after] = [migrations.filter(({ number }) => number < 9), migrations.slice(8)];
  for (const { sql } of before) older.exec(sql);
  for (const [user, revokedAt] of [
    ["gone", 9],
    ["kept", null],
  ]) {
    older.exec(`
      INSERT INTO api_keys (id, user_name, hash, created_at, revoked_at)
        VALUES ('a-${user}', '${user}', '', 1, ${revokedAt});
      INSERT INTO subscriptions
        (id, institution_id, user_name, name, callback_url, events, group_id, secret_sealed, enabled, created_at, updated_at)
        VALUES ('s-${user}', 'i', '${user}', 'n', 'u', '[]', '[]', '', 1, 1, 1);
      INSERT INTO deliveries
        (id, institution_id, subscription_id, event_id, event_name, account_numbers, sequence, state, attempts, failures,
         due_at, claim, created_at)
        VALUES ('d-${user}', 'i', 's-${user}', 'e', 'n', '[]', 1, 'PENDING', 0, 0, 7, 'c', 5);`);
  }
  for (const { sql } of after) older.exec(sql);
  expect(
    older.prepare("SELECT id, enabled, disabled_reason, disabled_at FROM subscriptions ORDER BY id").all(),
  ).toEqual([
    { id: "s-gone", enabled: 0, disabled_reason: "REVOKED", disabled_at: 9 },
    { id: "s-kept", enabled: 1, disabled_reason: null, disabled_at: null },
  ]);
  expect(
    older.prepare("SELECT id, state, due_at, claim, cancel_reason FROM deliveries ORDER BY id").all(),
  ).toEqual([
    { id: "d-gone", state: "CANCELLED", due_at: null, claim: null, cancel_reason: "REVOKED" },
    { id: "d-kept", state: "PENDING", due_at: 7, claim: "c", cancel_reason: null },
  ]);
});
