import { describe } from "vitest";
import { describeChains } from "./chains.ts";
import { describeCollections } from "./collections.ts";
import { describeConditions } from "./conditions.ts";
import { describeDeliveries } from "./deliveries.ts";
import { describeDurability } from "./durability.ts";
import { describeListings } from "./listings.ts";
import { describePostings } from "./postings.ts";
import type { OpenStore } from "./store-under-test.ts";
import { describeTransactions } from "./transactions.ts";

/** What every adapter of the `Store` port must do. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    describeCollections(open);
    describeTransactions(open);
    describeListings(open);
    describeConditions(open);
    describePostings(open);
    describeChains(open);
    describeDeliveries(open);
    describeDurability(open);
  });
}
