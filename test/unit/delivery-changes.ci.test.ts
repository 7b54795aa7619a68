import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { describeChanges } from "./delivery-changes.ts";

describeChanges("a subscription that changes, over one SQLite file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "delivery-changes-"));
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  const store = await openStore(`sqlite:${file}`, optionsUnderTest);
  return {
    open: async () => store,
    dispose: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
