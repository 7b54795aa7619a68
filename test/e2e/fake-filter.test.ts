import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { description } from "../../generated/ledger/client/fake-data.ts";
import { FilterError, readFilter } from "../../generated/ledger/client/fake-filter.ts";
import { type AccountSummary, isLedgerError, LedgerClient } from "../../generated/ledger/client/index.ts";
import { startServer, type RunningServer } from "./server.ts";
import { fc, runs } from "../seed.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-filter-"));
let server: RunningServer;
let client: LedgerClient;
const accounts: AccountSummary[] = [];

beforeAll(async () => {
  server = await startServer(dataDir);
  const { baseUrl, userName, apiKey, keyId, privateKeyPem: privateKey } = server.access;
  client = new LedgerClient({ baseUrl, credential: { userName, apiKey }, signer: { keyId, privateKey } });
  for await (const account of client.accounts.all()) accounts.push(account);
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

/** What the service says to a filter: the accounts that it finds, or that it cannot read it. */
async function served(filter: string): Promise<unknown> {
  try {
    const { accounts: found } = await client.account.list({ filter, PageSize: 100 });
    return found.map(({ id }) => id);
  } catch (error) {
    if (!isLedgerError(error, "BAD_INPUT")) throw error;
    return "refused";
  }
}

function played(filter: string): unknown {
  const summary = description.types.find(([name]) => name === "AccountSummary")?.[1];
  if (summary?.kind !== "object") throw new Error("no summary");
  try {
    const fits = readFilter(filter, summary, description);
    return accounts.filter((account) => fits({ ...account })).map(({ id }) => id);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return "refused";
  }
}

const field = fc.constantFrom(
  "status",
  "name",
  "Balance",
  "createdDate",
  "isVerify",
  "currency",
  "number",
  "no",
);
const operator = fc.constantFrom("=", "!=", "<", "<=", ">", ">=", ":", " = ", " : ");
const value = fc.oneof(
  fc.constantFrom(
    "ACTIVE",
    "CLOSED",
    "USD",
    "0",
    "1000.00",
    "-5",
    "1e2",
    "true",
    "false",
    "2026-01-01T00:00:00Z",
  ),
  fc.constantFrom(
    '"Northwind"',
    '"north',
    "N*",
    '"N*"',
    String.raw`"a \" b\*"`,
    "2*",
    "*",
    "op-er",
    "2999-01-01",
  ),
);
const comparison = fc.tuple(field, operator, value).map((parts) => parts.join(""));
const term = fc.oneof(
  comparison,
  comparison,
  fc.constantFrom("acme", '"operating account"', "8*", "-acme", "AND", "a-b"),
);
const joint = fc.constantFrom(" AND ", " OR ", " AND NOT ", " OR -", " ", " AND (", ") OR ", " and ");
const filters = fc
  .tuple(
    fc.constantFrom("", "NOT ", "-", "("),
    term,
    fc.array(fc.tuple(joint, term), { maxLength: 3 }),
    fc.constantFrom("", ")"),
  )
  .map(([start, first, more, end]) => start + first + more.flat().join("") + end);

test("the service in memory reads filters as the service does", async () => {
  expect(accounts.length).toBeGreaterThan(2);
  await fc.assert(
    fc.asyncProperty(fc.oneof(comparison, filters), async (filter) => {
      expect(played(filter)).toEqual(await served(filter));
    }),
    { numRuns: runs(150) },
  );
});
