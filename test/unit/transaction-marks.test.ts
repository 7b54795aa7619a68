import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll } from "vitest";
import type { Store } from "../../runtime/ports/index.ts";
import { openSqliteStore } from "../../runtime/storage/sqlite/index.ts";
import { describeTransactionMarks, fillSql, insertBusyAccount } from "../store-contract/transaction-marks.ts";

const folder = mkdtempSync(join(tmpdir(), "transaction-marks-"));
const file = join(folder, "ledger.sqlite");
let store: Store;
let reader: DatabaseSync;

beforeAll(async () => {
  const before = await openSqliteStore({ file, migrate: true });
  await before.transact(insertBusyAccount);
  await before.close();
  const database = new DatabaseSync(file);
  database.exec(fillSql);
  database.close();
  store = await openSqliteStore({ file, migrate: false });
  reader = new DatabaseSync(file, { readOnly: true });
});
afterAll(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

describeTransactionMarks(
  () => store,
  async (sql) =>
    reader
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
);
