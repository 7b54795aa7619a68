import { expect, test } from "vitest";
import { starting } from "../../runtime/operations/cli/startup-error.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { openStore } from "../bank-stores.ts";
import { startPostgres } from "../postgres/postgres-server.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { application } from "../../ledger/application.ts";

test("a start without its database server says what is wrong and where, and no password", async () => {
  const url = "postgres://ledger:secret@127.0.0.1:1/ledger";
  const config = loadConfig(application, { LEDGER_DATABASE_URL: url });
  const started = starting(config, () => openStore(url, optionsUnderTest));
  const text = await started.then(String, String);
  expect(text).toMatch(
    /^Error: the database server cannot be reached: .* \(connect ECONNREFUSED 127\.0\.0\.1:1\)$/,
  );
  expect(text).not.toContain("secret");
});

test("a database server that refuses: what it said, and what to do", async () => {
  const server = await startPostgres();
  const refusedAt = async (change: Partial<Record<"pathname" | "username", string>>): Promise<string> => {
    const { href } = Object.assign(new URL(server.url("postgres")), change);
    const config = loadConfig(application, { LEDGER_DATABASE_URL: href });
    return starting(config, () => openStore(href, optionsUnderTest)).then(String, String);
  };
  try {
    expect(await refusedAt({ pathname: "/nowhere" })).toMatch(
      /^Error: The database server refuses: database "nowhere" does not exist\. Create that database/,
    );
    expect(await refusedAt({ username: "nobody-known" })).toMatch(
      /^Error: The database server refuses: role "nobody-known" does not exist\. Correct the user/,
    );
  } finally {
    await server.close();
  }
});
