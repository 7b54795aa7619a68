import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../runtime/storage/index.ts";
import { afterAll, beforeAll } from "vitest";
import { describeStore } from "./contract.ts";
import { describeCrashes } from "./crashes.ts";
import { optionsUnderTest } from "./openers.ts";

/** An empty store after all migrations: to copy it takes a fraction of the time. */
let migrated: string;
beforeAll(async () => {
  migrated = await mkdtemp(join(tmpdir(), "store-"));
  const store = await openStore(`sqlite:${join(migrated, "ledger.sqlite")}`, optionsUnderTest);
  await store.close();
});
afterAll(() => rm(migrated, { recursive: true }));

/** A file is opened for each run, by its readers too. */
const runsShare = 0.1;

describeStore(
  "the store in an SQLite file",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "store-"));
    const file = join(folder, "ledger.sqlite");
    await copyFile(join(migrated, "ledger.sqlite"), file);
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
        await rm(folder, { recursive: true });
      },
    };
  },
  runsShare,
);

describeCrashes("sqlite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  return { url: `sqlite:${join(folder, "ledger.sqlite")}`, dispose: () => rm(folder, { recursive: true }) };
});
