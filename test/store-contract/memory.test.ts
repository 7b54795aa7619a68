import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import { describeStore } from "./contract.ts";

describeStore("the store in memory", async () => {
  const store = createMemoryStore();
  return { store, dispose: () => store.close() };
});
