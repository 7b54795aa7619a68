import { mkdtempSync, openSync, closeSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ledgerServer } from "./ledger-server.ts";
import { rawCaller } from "./raw-caller.ts";
import { startServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Node closes what is open at its end: the last connection to a file moves the log into it, and removes the log. */
test("a log that is damaged under the running service is left as it is, also by the end of the process", async () => {
  const server = await startServer(folder);
  const call = rawCaller(server.access.baseUrl, server.access);
  const { consumerCustomerId } = server.access.samples;
  const account = { customerID: consumerCustomerId, name: "Kept", accountType: "SAVINGS", currency: "USD" };
  for (let index = 0; index < 5; index += 1) {
    expect((await call("CustomerService.AddAccount", account)).status).toBe(200);
  }
  const file = join(folder, "ledger.sqlite");
  const log = openSync(`${file}-wal`, "r+");
  const { size } = statSync(`${file}-wal`);
  writeSync(log, Buffer.alloc(size / 2, 0xa5), 0, Math.floor(size / 2), 32);
  closeSync(log);
  const contents = () =>
    [readFileSync(file), readFileSync(`${file}-wal`)].map((each) => each.toString("base64"));
  // A thread reads lists, by a connection of its own, which has none of the pages yet.
  const listed = await call("AccountService.ListAccounts", { PageNumber: 1, PageSize: 10 });
  expect(listed).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  // Until now a commit of the service itself, such as that of delivered events, may have been appended.
  const before = contents();
  expect((await call("CustomerService.AddAccount", account)).status).toBe(503);
  expect(await server.stop()).toBe(0);
  expect(contents()).toEqual(before);
  const refused = ledgerServer(["serve"], { LEDGER_DATA_DIR: folder });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toMatch(
    /ledger\.sqlite-wal is damaged after \d+ bytes, and \d+ commits .*restore the latest backup/,
  );
});
