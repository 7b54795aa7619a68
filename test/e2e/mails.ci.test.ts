import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import { openStore } from "../bank-stores.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { until } from "../until.ts";
import { contractClient } from "./contract-client.ts";
import { ledgerServer } from "./ledger-server.ts";
import { startServer } from "./server.ts";
import { outboxMails, mailAttempts } from "../../runtime/store/tables/index.ts";

const address = "t.berg@northwind.example";

test("a login that was promised while the mail server is gone arrives once it is back", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-mails-"));
  const port = await freePort();
  const env = {
    LEDGER_MAIL_TRANSPORT: "smtp",
    LEDGER_SMTP_HOST: "127.0.0.1",
    LEDGER_SMTP_PORT: String(port),
    LEDGER_SMTP_SECURITY: "none",
  };
  const server = await startServer(dataDir, env);
  const client = contractClient(server.access.baseUrl, server.access);
  const operator = contractClient(server.access.operatorUrl, server.access.operator);
  const { legalRepId } = server.access.samples;
  const promised = await client.call("CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId });
  expect(promised.result).toMatchObject({ ID: legalRepId });

  await until(() => server.printed().includes("mail was not accepted"));
  const { result } = await operator.call("ListMails", { state: "PENDING" });
  expect(result).toMatchObject({ mails: [{ kind: "portal-login", legalRepId, attempts: 1 }] });
  const status = ledgerServer(["status", "--json"], { ...env, LEDGER_DATA_DIR: dataDir });
  expect(JSON.parse(status.out)).toMatchObject({ mails: { count: 1 }, failedMails: { count: 1 } }); // one of the demo data
  const metrics = await (await fetch(new URL("/metrics", server.access.operatorUrl))).text();
  expect(metrics).toContain('ledger_rpc_mails{state="PENDING"} 1');
  expect(metrics).toMatch(/ledger_rpc_mail_oldest_pending_seconds [\d.]+/);

  const received: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      received.push(...envelope.rcptTo.map((recipient) => recipient.address));
      stream.resume();
      stream.on("end", () => done());
    },
  });
  smtp.listen(port, "127.0.0.1");
  await until(() => received.length > 0);
  const sent = () => operator.call("ListMails", { state: "SENT" });
  await until(async () => JSON.stringify((await sent()).result).includes("portal-login"));
  expect((await operator.call("GetBacklog", {})).result).toMatchObject({ mails: { count: 0 } });

  client.close();
  operator.close();
  expect(await server.stop()).toBe(0);
  await new Promise<void>((resolve) => smtp.close(resolve));
  expect(server.printed()).toContain(`"kind":"portal-login"`);
  expect(received).toHaveLength(1);
  for (const recipient of [...received, address]) expect(server.printed()).not.toContain(recipient);
  rmSync(dataDir, { recursive: true });
});

test("status lists mails that name no institution", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-mails-"));
  const file = join(dataDir, "ledger.sqlite");
  await writeMigratedFile(file);
  const store = await openStore(`sqlite:${file}`, optionsUnderTest);
  const mail = { messageSealed: "sealed", kind: "unknown", state: "PENDING", failures: 2 } as const;
  await store.write(async (tx) => {
    await tx.insert(outboxMails, { ...mail, id: "left", attempts: 2, createdAt: 0, dueAt: 9 });
    const attempt = { mailId: "left", startedAt: 5, durationMs: 1 };
    await tx.insert(mailAttempts, { ...attempt, number: 1, failure: "timeout" });
    await tx.insert(mailAttempts, { ...attempt, number: 2, failure: "refused", detail: "550" });
  });
  await store.close();
  const status = (...options: readonly string[]) =>
    ledgerServer(["status", ...options], { LEDGER_DATA_DIR: dataDir }).out;
  const written = "1970-01-01T00:00:00.000Z";
  expect(status()).toContain(`left  written ${written}, attempts: 2, the last: refused`);
  expect(JSON.parse(status("--json"))).toMatchObject({
    mails: { count: 1 },
    mailsOfNobody: [{ mailId: "left", written, attempts: 2, failure: "refused" }],
  });
  rmSync(dataDir, { recursive: true });
});

/** A port where nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
