import { afterAll } from "vitest";
import { describeStoreInShort } from "../store-contract/contract.ts";
import { sharedStores } from "./shared-stores.ts";

const { open, close } = sharedStores();
afterAll(close);

/** `contract.ci.test.ts` runs the rest. */
describeStoreInShort("the store in a PostgreSQL database, in short", open);
