import { expect, test } from "vitest";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { startIdle } from "../unit/idle-service.ts";
import { testDatabase } from "./databases.ts";

test("an idle service opens no transaction that writes: no row of PostgreSQL's tables changes", async () => {
  const { url, execute, dispose } = await testDatabase();
  const store = await openStore(url, { ...optionsUnderTest, migrate: false });
  const service = await startIdle(store);
  await service.pass(40);
  // Each table's newest writer: a row that is written again has another.
  const tables = await execute(
    "SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace",
  );
  const rows = async () => {
    const counted = tables.map(
      ([name]) => `SELECT '${name}', count(*), max(xmin::text::bigint) FROM ${name}`,
    );
    return execute(`${counted.join(" UNION ALL ")} ORDER BY 1`);
  };
  const [before, transactions] = [await rows(), service.transactions()];
  await service.pass(300);
  await service.close();
  expect(service.transactions() - transactions).toBe(0);
  expect(await rows()).toEqual(before);
  expect(service.failures).toEqual([]);
  await store.close();
  await dispose();
});
