import { openStore } from "../bank-stores.ts";
import { describeStore } from "./contract.ts";
import { optionsUnderTest } from "./openers.ts";

describeStore("the store in memory", async () => {
  const store = await openStore("memory:", optionsUnderTest);
  return { store, dispose: () => store.close() };
});
