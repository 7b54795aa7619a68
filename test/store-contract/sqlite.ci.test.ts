import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { describeCollections } from "./collections.ts";
import { describeCrashes } from "./crashes.ts";
import { openSqliteUnderTest } from "./sqlite-stores.ts";

describe("the store in an SQLite file", () => describeCollections(openSqliteUnderTest));

describeCrashes("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  return {
    url: `sqlite:${join(folder, "ledger.sqlite")}`,
    dispose: async () => rmSync(folder, { recursive: true }),
  };
});
