import { expect, test } from "vitest";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { emptyDatabase } from "./databases.ts";

test("a database whose institutions are partly in another one is refused, and the answer says what to do", async () => {
  const { url, execute, dispose } = await emptyDatabase();
  await (await openStore(url, optionsUnderTest)).close();
  await execute(
    "CREATE TABLE IF NOT EXISTS institution_places (institution_id TEXT, state TEXT, database_name TEXT, paused_until BIGINT)",
  );
  await (await openStore(url, optionsUnderTest)).close();
  await execute("INSERT INTO institution_places VALUES ('091311229', 'MOVED', 'west', 0)");
  await expect(openStore(url, optionsUnderTest)).rejects.toThrow(
    /in the database west\. Check out commit cb739801.*move --institution/,
  );
  await dispose();
});
