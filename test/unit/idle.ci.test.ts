import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openSqliteStore } from "../bank-stores.ts";
import { startIdle } from "./idle-service.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";

const file = migratedFileForEachTest();

test("an idle service opens no transaction, and its file and log stay equal to the byte", async () => {
  const store = await openSqliteStore({ file: file(), migrate: false });
  const service = await startIdle(store);
  await service.pass(40);
  const bytes = () => ["", "-wal"].map((suffix) => readFileSync(`${file()}${suffix}`).toString("base64"));
  const [before, transactions] = [bytes(), service.transactions()];
  await service.pass(400);
  await service.close();
  expect(service.transactions() - transactions).toBe(0);
  expect(bytes()).toEqual(before);
  expect(service.failures).toEqual([]);
  await store.close();
});
