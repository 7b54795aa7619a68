import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll } from "vitest";
import { writeMigratedFile } from "../migrated-file.ts";
import { patienceMs } from "../until.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { describeTransactionMarks, fillSql, insertBusyAccount } from "../store-contract/transaction-marks.ts";

const folder = mkdtempSync(join(tmpdir(), "transaction-marks-"));
const file = join(folder, "ledger.sqlite");
let beside: DatabaseSync;

beforeAll(async () => {
  await writeMigratedFile(file);
  const before = await openSqliteStore({ file, migrate: false });
  await before.write(insertBusyAccount);
  await before.close();
  const database = new DatabaseSync(file);
  database.exec(fillSql);
  database.close();
  beside = new DatabaseSync(file, { timeout: patienceMs });
});
afterAll(() => {
  beside.close();
  rmSync(folder, { recursive: true });
});

describeTransactionMarks(
  () => openSqliteStore({ ...optionsUnderTest, file, migrate: false }),
  async (sql) =>
    beside
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)),
);
