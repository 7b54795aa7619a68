import type { Store } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import type { StoreUnderTest } from "../store-contract/store-under-test.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

const migrated = { ...optionsUnderTest, migrate: false };

interface OpenDatabase {
  readonly database: TestDatabase;
  readonly store: Store;
}

/** Stores that are emptied, and given again, instead of being closed: new connections cost more than most cases. */
export interface SharedStores {
  open(): Promise<StoreUnderTest>;
  close(): Promise<void>;
}

export function sharedStores(): SharedStores {
  const idle: OpenDatabase[] = [];
  return { open, close };

  async function open(): Promise<StoreUnderTest> {
    const { database, store } = idle.pop() ?? (await opened(await testDatabase()));
    let current: Store | undefined = store;
    return {
      store: {
        ...store,
        close: () => {
          current = undefined;
          return store.close();
        },
      },
      reopen: async () => {
        await current?.close();
        current = await openStore(database.url, migrated);
        return current;
      },
      dispose: async () => {
        if (current === undefined) return database.dispose();
        await database.empty();
        idle.push({ database, store: current });
      },
    };
  }

  async function close(): Promise<void> {
    for (const { database, store } of idle.splice(0)) {
      await store.close();
      await database.dispose();
    }
  }
}

async function opened(database: TestDatabase): Promise<OpenDatabase> {
  return { database, store: await openStore(database.url, migrated) };
}
