import { afterAll } from "vitest";
import { describeRestOfStore } from "../store-contract/contract.ts";
import { sharedStores } from "./shared-stores.ts";

/** Verification starts a thread each time. */
const runsShare = 0.2;
const { open, close } = sharedStores();
afterAll(close);

/** `contract.test.ts` runs what is left out here. */
describeRestOfStore("the store in a PostgreSQL database", open, runsShare);
