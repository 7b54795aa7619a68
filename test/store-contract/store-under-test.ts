import { afterEach, beforeEach } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";

/** A fresh store, and how to be rid of it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and opens what it left behind; absent where nothing outlives it. */
  readonly reopen?: () => Promise<Store>;
  dispose(): Promise<void>;
}

export type OpenStore = () => Promise<StoreUnderTest>;

/** Gives each test of a suite a store of its own. */
export function storeForEachTest(open: OpenStore): () => Store {
  let current: StoreUnderTest | undefined;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(async () => {
    await current?.dispose();
    current = undefined;
  });
  return () => {
    if (current === undefined) throw new Error("there is a store only inside a test");
    return current.store;
  };
}
