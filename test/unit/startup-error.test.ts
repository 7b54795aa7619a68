import { expect, test } from "vitest";
import { starting } from "../../runtime/cli/startup-error.ts";
import { loadConfig } from "../../runtime/server/config.ts";
import { openStore } from "../../runtime/storage/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";

test("a start without its database server says what is wrong and where, and no password", async () => {
  const url = "postgres://ledger:secret@127.0.0.1:1/ledger";
  const config = loadConfig({ LEDGER_DATABASE_URL: url });
  const started = starting(config, () => openStore(url, optionsUnderTest));
  const text = await started.then(String, String);
  expect(text).toMatch(
    /^Error: the database server cannot be reached: .* \(connect ECONNREFUSED 127\.0\.0\.1:1\)$/,
  );
  expect(text).not.toContain("secret");
});
