import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LedgerClient } from "../../generated/ledger/client/index.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { PartnerClient } from "../../generated/partner/client/index.ts";
import { patienceMs } from "../until.ts";
import { startServer, type RunningServer } from "./server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-lists-"));
/** How many rows a test reads at least; it removes up to two of three that it reads. */
const count = 12;
const made = 3 * count;
let server: RunningServer;
let database: DatabaseSync;
let ledger: LedgerClient;
let operator: OperatorClient;
let partner: PartnerClient;
/** The subscription with deliveries, which wait for an endpoint that is not there. */
let tested: string;
/** What was there before the tests. */
let needed: Set<string>;

beforeAll(async () => {
  server = await startServer(dataDir, { LEDGER_PARTNER_INTERFACE: "on" });
  database = new DatabaseSync(join(dataDir, "ledger.sqlite"), {
    timeout: patienceMs,
    enableForeignKeyConstraints: false,
  });
  const rows = database.prepare(
    "SELECT id FROM customers UNION SELECT user_name FROM users UNION SELECT id FROM accounts",
  );
  needed = new Set(rows.all().map(({ id }) => String(id)));
  const { baseUrl, operatorUrl, operator: own, ...caller } = server.access;
  const optionsOf = (url: string, { userName, apiKey, keyId, privateKeyPem }: typeof own) => ({
    baseUrl: url,
    credential: { userName, apiKey },
    signer: { keyId, privateKey: privateKeyPem },
  });
  ledger = new LedgerClient(optionsOf(baseUrl, caller));
  partner = new PartnerClient(optionsOf(baseUrl, caller));
  operator = new OperatorClient(optionsOf(operatorUrl, own));
  // Enough for both tests of a list.
  for (let at = 0; at < made; at += 1) await makeOneOfEach();
  for (let at = 0; at < made; at += 1) await operator.sendTestEvent({ subscriptionId: tested });
  needed.add(tested);
});
afterAll(async () => {
  database.close();
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

async function makeOneOfEach(): Promise<void> {
  const { accountNumber, consumerCustomerId } = server.access.samples;
  const { customerId } = await operator.createCustomer({ type: "CONSUMER", name: "Customer" });
  const userName = `user-${customerId}`;
  await operator.issueCredential({ userName, email: "user@example.com" });
  const customerID = consumerCustomerId;
  await ledger.customer.addAccount({ customerID, name: "Account", accountType: "SAVINGS", currency: "USD" });
  const { subscriptionId } = await ledger.createSubscription({
    name: "Subscription",
    callbackUrl: "http://127.0.0.1:9/hook",
    events: ["Account.UPDATE"],
    groupId: [accountNumber],
  });
  tested = subscriptionId;
}

interface Page {
  readonly items: readonly string[];
  readonly next: string | undefined;
}

/** A list that goes on after what `next` gave: how to read a page of it, and the column that identifies its rows. */
interface List {
  readonly name: string;
  readonly table: string;
  readonly key: string;
  read(page: { readonly pageSize: number; readonly after?: string }): Promise<Page>;
}

const lists: readonly List[] = [
  {
    name: "ListCustomers",
    table: "customers",
    key: "id",
    read: async (page) => {
      const { customers, next } = await operator.listCustomers(page);
      return { items: customers.map(({ customerId }) => customerId), next };
    },
  },
  {
    name: "ListUsers",
    table: "users",
    key: "user_name",
    read: async (page) => {
      const { users, next } = await operator.listUsers(page);
      return { items: users.map(({ userName }) => userName), next };
    },
  },
  {
    name: "ListSubscriptions of the operator",
    table: "subscriptions",
    key: "id",
    read: async (page) => {
      const { subscriptions, next } = await operator.listSubscriptions(page);
      return { items: subscriptions.map(({ subscriptionId }) => subscriptionId), next };
    },
  },
  {
    name: "ListSubscriptions of a partner",
    table: "subscriptions",
    key: "id",
    read: async (page) => {
      const { subscriptions, next } = await partner.listSubscriptions(page);
      return { items: subscriptions.map(({ subscriptionId }) => subscriptionId), next };
    },
  },
  {
    name: "ListDeliveries of the operator",
    table: "deliveries",
    key: "id",
    read: async (page) => {
      const { deliveries, next } = await operator.listDeliveries(page);
      return { items: deliveries.map(({ deliveryId }) => deliveryId), next };
    },
  },
  {
    name: "ListDeliveries of a partner",
    table: "deliveries",
    key: "id",
    read: async (page) => {
      const { deliveries, next } = await partner.listDeliveries({ ...page, subscriptionId: tested });
      return { items: deliveries.map(({ deliveryId }) => deliveryId), next };
    },
  },
  ...(["NEWEST", "OLDEST"] as const).map((order) => ({
    name: `ListAudit, ${order} first`,
    table: "audit_entries",
    key: "sequence",
    read: async (page: { readonly pageSize: number; readonly after?: string }) => {
      const { entries, next } = await operator.listAudit({ ...page, order });
      return { items: entries.map(({ sequence }) => String(sequence)), next };
    },
  })),
];

/**
 * Removes the last row returned, an earlier one, and the one after the next; never a row that existed before the
 * tests. The service sees them go with its next commit.
 */
async function removeAround(
  last: string,
  all: readonly string[],
  { table, key }: Pick<List, "table" | "key">,
): Promise<readonly string[]> {
  const at = all.indexOf(last);
  const removed = [all[at], all[at - 2], all[at + 2]].filter((id) => id !== undefined && !needed.has(id));
  for (const id of removed) database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`).run(id ?? null);
  await operator.createCustomer({ type: "CONSUMER", name: "Customer" });
  return removed.filter((id) => id !== undefined);
}

/** Reads a list by its pages, and removes rows after each. */
async function expectNothingSkipped(list: List): Promise<void> {
  const { items: before } = await list.read({ pageSize: 1.5 * count });
  expect(before.length).toBeGreaterThanOrEqual(count);
  const gone = new Set<string>();
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await list.read({ pageSize: 3, ...(after === undefined ? {} : { after }) });
    found.push(...page.items);
    after = page.next;
    for (const id of await removeAround(found.at(-1) ?? "", before, list)) gone.add(id);
  } while (after !== undefined && found.length <= before.length);
  expect(new Set(found).size).toBe(found.length);
  const stayed = (ids: readonly string[]) => ids.filter((id) => before.includes(id) && !gone.has(id));
  expect(stayed(found)).toEqual(stayed(before));
  expect(gone.size).toBeGreaterThan(2);
}

test.each(lists)("$name skips nothing where rows go between pages", expectNothingSkipped);

test("all accounts of the client skip nothing where they go between pages", async () => {
  const before = await Array.fromAsync(ledger.accounts.all({}), ({ id }) => id);
  expect(before.length).toBeGreaterThanOrEqual(count);
  const gone = new Set<string>();
  const found: string[] = [];
  for await (const { id } of ledger.accounts.all({ pageSize: 3 })) {
    found.push(id);
    if (found.length % 3 > 0) continue;
    for (const each of await removeAround(id, before, { table: "accounts", key: "id" })) gone.add(each);
  }
  expect(new Set(found).size).toBe(found.length);
  expect(found.filter((id) => !gone.has(id))).toEqual(before.filter((id) => !gone.has(id)));
  expect(gone.size).toBeGreaterThan(2);
});
