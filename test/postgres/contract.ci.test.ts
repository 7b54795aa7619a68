import { afterAll } from "vitest";
import { describeStore } from "../store-contract/contract.ts";
import { sharedStores } from "./shared-stores.ts";

/** Verification starts a thread each time. */
const runsShare = 0.2;
const { open, close } = sharedStores();
afterAll(close);

describeStore("the store in a PostgreSQL database", open, { runsShare });
