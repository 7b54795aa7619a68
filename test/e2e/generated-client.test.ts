import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  call,
  connect,
  createLedgerClient,
  methods,
  RpcCallError,
  type ClientOptions,
  type LedgerClient,
} from "../../generated/ledger/client/index.ts";
import { createOperatorClient, type OperatorClient } from "../../generated/operator/client/index.ts";
import { startServer, type RunningServer } from "./server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-client-"));
let server: RunningServer;
let options: ClientOptions;
let client: LedgerClient;
let operator: OperatorClient;

beforeAll(async () => {
  server = await startServer(dataDir);
  const { access } = server;
  options = { ...access, privateKey: access.privateKeyPem };
  client = createLedgerClient(options);
  operator = createOperatorClient({
    ...access.operator,
    baseUrl: access.operatorUrl,
    privateKey: access.operator.privateKeyPem,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

describe("the generated client against the real service", () => {
  test("reads, lists and changes with plain typed objects", async () => {
    const { accountId, accountNumber, beneficiaryId, legalRepId } = server.access.samples;
    const { account } = await client.accountService.getAccount({ ID: accountId });
    expect(account.balance + account.holdBalance).toBeTypeOf("number");
    const { beneficiarys } = await client.accountService.listBeneficiary({
      ID: accountId,
      legalrepId: legalRepId,
    });
    expect(beneficiarys.map(({ ID }) => ID)).toContain(beneficiaryId);
    const updated = await client.accountService.updateAccountStatus({ accountNumber, status: "CURTAILED" });
    expect(updated.Status).toBe("CURTAILED");
  });

  test("sends flat bodies signed by their headers", async () => {
    const { source, sourceId, accountNumber } = server.access.samples;
    expect((await client.getSource({ source })).id).toBe(sourceId);
    const { subscriptionId } = await client.createSubscription({
      name: "n",
      callbackUrl: "http://127.0.0.1:9/",
      events: ["Account.NEW"],
      groupId: [accountNumber],
    });
    expect(subscriptionId).not.toBe("");
  });

  test("calls one method without the others", async () => {
    const { referenceId } = server.access.samples;
    const payload = { ReferenceId: referenceId };
    const transaction = await call(connect(options), methods.getTransactionsByRef, payload);
    expect(transaction.ReferenceId).toBe(referenceId);
  });

  test("is answered the same when a create is repeated under its request id", async () => {
    const { consumerCustomerId } = server.access.samples;
    const payload = {
      customerID: consumerCustomerId,
      name: "Savings",
      accountType: "SAVINGS",
      currency: "USD",
    } as const;
    const first = await client.customerService.addAccount(payload, { requestId: "once" });
    expect(await client.customerService.addAccount(payload, { requestId: "once" })).toEqual(first);
  });

  test("rejects with the service's code, text, field and request id", async () => {
    const unknown = client.accountService.getAccount({ ID: "nope" });
    await expect(unknown).rejects.toThrow(RpcCallError);
    await expect(unknown).rejects.toMatchObject({
      method: "AccountService.GetAccount",
      code: "NOT_FOUND_ACCOUNT",
      message: "Account doesn't exists",
      httpStatus: 200,
      requestId: expect.stringMatching(/./),
    });
    const stranger = createLedgerClient({ ...options, apiKey: "0".repeat(32) });
    const refused = stranger.accountService.getAccount({ ID: "nope" });
    await expect(refused).rejects.toMatchObject({ code: "BAD_CREDENTIAL" });
  });

  test("speaks the operator interface too", async () => {
    const invalid = operator.createCategory({ name: "" });
    await expect(invalid).rejects.toMatchObject({ code: "BAD_INPUT", field: "/name" });
  });
});
