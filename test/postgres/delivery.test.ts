import type { Store } from "../../runtime/ports/index.ts";
import { openStore } from "../../runtime/storage/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { describeWorkers } from "../unit/delivery-workers.ts";
import { testDatabase } from "./databases.ts";

describeWorkers("several processes over one PostgreSQL database", async () => {
  const { url, dispose } = await testDatabase();
  const stores: Store[] = [];
  return {
    open: async () => {
      const store = await openStore(url, { ...optionsUnderTest, migrate: false });
      stores.push(store);
      return store;
    },
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      await dispose();
    },
  };
});
