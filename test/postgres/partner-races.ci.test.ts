import { afterAll } from "vitest";
import { describePartnerRaces } from "../store-contract/partner-races.ts";
import { sharedStores } from "./shared-stores.ts";

const { open, close } = sharedStores();
afterAll(close);

describePartnerRaces("what a partner may do once, in a PostgreSQL database", open);
