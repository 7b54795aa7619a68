import { openStore } from "../../runtime/storage/index.ts";
import { testDatabase } from "./databases.ts";
import { describeStore } from "../store-contract/contract.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";

/** Verification starts a thread each time. */
const runsShare = 0.2;
const migrated = { ...optionsUnderTest, migrate: false };

describeStore(
  "the store in a PostgreSQL database",
  async () => {
    const { url, dispose } = await testDatabase();
    let store = await openStore(url, migrated);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await openStore(url, migrated);
        return store;
      },
      dispose: async () => {
        await store.close();
        await dispose();
      },
    };
  },
  runsShare,
);
