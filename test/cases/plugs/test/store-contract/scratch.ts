import { openStore } from "../bank-stores.ts";
import { describeStore } from "./contract.ts";
import { optionsUnderTest } from "./openers.ts";

describeStore("the store of the trial", async () => {
  const store = await openStore("scratch:", optionsUnderTest);
  return { store, dispose: () => store.close() };
});
