import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { patienceMs } from "../until.ts";
import { rawCaller } from "./raw-caller.ts";
import { startServer } from "./server.ts";

test("while another program holds the write lock reads and health are answered, and writes wait", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-locked-"));
  const server = await startServer(dataDir);
  const { accountId, consumerCustomerId } = server.access.samples;
  const call = rawCaller(server.access.baseUrl, server.access);
  const other = new DatabaseSync(join(dataDir, "ledger.sqlite"), { timeout: patienceMs });
  try {
    const order: string[] = [];
    other.exec("BEGIN IMMEDIATE");
    const write = (name: string) =>
      call("CustomerService.AddAccount", {
        customerID: consumerCustomerId,
        name,
        accountType: "SAVINGS",
        currency: "USD",
      });
    const first = write("refused").finally(() => order.push("write"));
    expect(await call("AccountService.GetAccount", { ID: accountId })).toMatchObject({ status: 200 });
    expect((await fetch(`${server.access.baseUrl}/healthz`)).status).toBe(200);
    order.push("read");
    const refused = await first;
    expect(order).toEqual(["read", "write"]);
    expect(refused).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
    expect(refused.json.error.data.reason).toBe("database-locked");
    const ready = await fetch(`${server.access.baseUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("holds a lock")]);
    const metrics = await (await fetch(`${server.access.operatorUrl}/metrics`)).text();
    expect(metrics).toContain('ledger_rpc_store_unavailable{reason="database-locked"} 1');
    const second = write("waits");
    other.exec("ROLLBACK");
    expect(await second).toMatchObject({ status: 200 });
  } finally {
    other.close();
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
  expect(server.printed()).toContain("another program holds a lock of the database: end its transaction");
});
