import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../runtime/storage/sqlite/index.ts";
import { describeStore } from "./contract.ts";
import { describeCrashes } from "./crashes.ts";

describeStore("the store in an SQLite file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  const file = join(folder, "ledger.sqlite");
  let store = await openSqliteStore({ file, migrate: true });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStore({ file, migrate: false });
      return store;
    },
    dispose: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});

describeCrashes("sqlite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  return { location: join(folder, "ledger.sqlite"), dispose: () => rm(folder, { recursive: true }) };
});
