import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../bank-stores.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { optionsUnderTest } from "./openers.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** Opens a store in an SQLite file of its own. */
export async function openSqliteUnderTest(): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  const url = `sqlite:${file}`;
  let store = await openStore(url, optionsUnderTest);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openStore(url, { ...optionsUnderTest, migrate: false });
      return store;
    },
    dispose: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
