import { describe } from "vitest";
import { describeChains } from "./chains.ts";
import { describeCollections, describeCollectionsInShort } from "./collections.ts";
import { describeConcurrency } from "./concurrency.ts";
import { describeConditions } from "./conditions.ts";
import { describeDeliveries } from "./deliveries.ts";
import { describeDurability } from "./durability.ts";
import { describeListings } from "./listings.ts";
import { describePostings, describeRandomPostings } from "./postings.ts";
import type { OpenStore } from "./store-under-test.ts";
import { describeTransactions } from "./transactions.ts";

export interface StoreSuiteOptions {
  /** The share of random runs, for an adapter that is slow to open. */
  readonly runsShare?: number;
  /** Whether each collection is one case, where another tier of the tests runs all. */
  readonly isShortOfCollections?: boolean;
}

/** What every adapter of the `Store` port must do. */
export function describeStore(name: string, open: OpenStore, options: StoreSuiteOptions = {}): void {
  const { runsShare = 1, isShortOfCollections = false } = options;
  describe(name, () => {
    if (isShortOfCollections) describeCollectionsInShort(open);
    else describeCollections(open);
    describeTransactions(open);
    describeConcurrency(open);
    describeListings(open);
    describeConditions(open, runsShare);
    describePostings(open);
    describeRandomPostings(open, runsShare);
    describeChains(open);
    describeDeliveries(open);
    describeDurability(open);
  });
}

/** The most telling cases, for an adapter of which another tier of the tests runs the rest. */
export function describeStoreInShort(name: string, open: OpenStore): void {
  describe(name, () => {
    describeCollectionsInShort(open);
    describeTransactions(open);
    describePostings(open);
    describeChains(open);
    describeDeliveries(open);
  });
}

/** What `describeStoreInShort` leaves out. */
export function describeRestOfStore(name: string, open: OpenStore, runsShare: number): void {
  describe(name, () => {
    describeCollections(open);
    describeConcurrency(open);
    describeListings(open);
    describeConditions(open, runsShare);
    describeRandomPostings(open, runsShare);
    describeDurability(open);
  });
}
