import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connect,
  getTransactionsByRef,
  isLedgerError,
  isRegistrationError,
  LedgerClient,
  money,
  NotFoundAccountError,
  registerSigner,
  type ClientOptions,
} from "../../generated/ledger/client/index.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { mailedOtp } from "../client/mailed-otp.ts";
import { startServer, type RunningServer } from "./server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-client-"));
let server: RunningServer;
let options: ClientOptions & { readonly credential: { readonly userName: string; readonly apiKey: string } };
let client: LedgerClient;
let operator: OperatorClient;

beforeAll(async () => {
  server = await startServer(dataDir);
  const { baseUrl, userName, apiKey, keyId, privateKeyPem, operator: own, operatorUrl } = server.access;
  options = { baseUrl, credential: { userName, apiKey }, signer: { keyId, privateKey: privateKeyPem } };
  client = new LedgerClient(options);
  operator = new OperatorClient({
    baseUrl: operatorUrl,
    credential: own,
    signer: { keyId: own.keyId, privateKey: own.privateKeyPem },
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

const savings = () =>
  ({
    customerID: server.access.samples.consumerCustomerId,
    name: "Savings",
    accountType: "SAVINGS",
    currency: "USD",
  }) as const;

async function allAccounts(pageSize?: number) {
  const filter = pageSize === undefined ? {} : { pageSize };
  const found = [];
  for await (const account of client.accounts.all(filter)) found.push(account);
  return found;
}

describe("the generated client against the real service", () => {
  test("reads, lists and changes with plain typed objects", async () => {
    const { accountId, accountNumber, beneficiaryId, legalRepId } = server.access.samples;
    const { account } = await client.account.get({ ID: accountId });
    expect(money.digits(account, "balance")).toMatch(/^-?\d+(\.\d+)?$/);
    const { beneficiarys } = await client.account.listBeneficiary({ ID: accountId, legalrepId: legalRepId });
    expect(beneficiarys.map(({ ID }) => ID)).toContain(beneficiaryId);
    const updated = await client.account.updateStatus({ accountNumber, status: "CURTAILED" });
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
    const transaction = await getTransactionsByRef(connect(options), { ReferenceId: referenceId });
    expect(transaction.ReferenceId).toBe(referenceId);
  });

  test("reads a whole list, whatever the size of its pages", async () => {
    const all = await allAccounts();
    expect(all.length).toBeGreaterThan(1);
    expect(await allAccounts(1)).toEqual(all);
    expect(await allAccounts(all.length)).toEqual(all);
  });

  test("rejects with the service's code, text and request id", async () => {
    const thrown: unknown = await client.account.get({ ID: "nope" }).catch((error: unknown) => error);
    expect(thrown instanceof NotFoundAccountError).toBe(true);
    expect(thrown).toMatchObject({
      method: "AccountService.GetAccount",
      code: "NOT_FOUND_ACCOUNT",
      message: ledgerInterface.methods["AccountService.GetAccount"]?.errors["NOT_FOUND_ACCOUNT"]?.message,
      status: 200,
      attempts: 1,
      requestId: expect.stringMatching(/./),
    });
    const credential = { ...options.credential, apiKey: "0".repeat(32) };
    const refused: unknown = await new LedgerClient({ ...options, credential }).account
      .get({ ID: "nope" })
      .catch((error: unknown) => error);
    expect(isLedgerError(refused, "BAD_CREDENTIAL")).toBe(true);
  });

  test("speaks the operator interface too", async () => {
    const invalid = operator.createCategory({ name: "" });
    await expect(invalid).rejects.toMatchObject({ code: "BAD_INPUT", field: "/name" });
  });
});

describe("a service whose line breaks after it has done its work", () => {
  let proxy: Server;
  let dropped = 0;
  let broken: LedgerClient;

  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      const body = await buffer(request);
      const { "content-length": _, host: __, ...headers } = request.headers;
      const answer = await fetch(`${options.baseUrl}${request.url}`, {
        method: "POST",
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        body,
      });
      const text = await answer.text();
      // The work is done; the first two answers to it are lost.
      dropped += 1;
      if (dropped <= 2) response.destroy();
      else response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = proxy.address();
    const port = typeof address === "object" ? address?.port : undefined;
    broken = new LedgerClient({ ...options, baseUrl: `http://127.0.0.1:${port}`, backoffMs: 1 });
  });
  afterAll(() => {
    proxy.close();
  });

  test("opens exactly one account", async () => {
    const before = await allAccounts();
    dropped = 0;
    const opened = await broken.customer.addAccount(savings());
    expect(dropped).toBe(3);
    const after = await allAccounts();
    expect(after.length).toBe(before.length + 1);
    expect(after.at(-1)?.id).toBe(opened.ID);
  });

  test("makes exactly one subscription of a flat body, which has no id", async () => {
    const payload = {
      name: "once",
      callbackUrl: "http://127.0.0.1:9/",
      events: ["Account.NEW"],
      groupId: [server.access.samples.accountNumber],
    } as const;
    dropped = 1;
    const { subscriptionId } = await broken.createSubscription(payload);
    expect(dropped).toBe(3);
    expect(subscriptionId).not.toBe("");
    // Sent anew it is another request: had the repetition been signed anew, it would have been one too.
    expect((await client.createSubscription(payload)).subscriptionId).not.toBe(subscriptionId);
  });

  test("registers exactly one key", async () => {
    const { userName } = options.credential;
    const { OtpToken } = await operator.startDeviceRegistration({ userName });
    const payload = { UserName: userName, OtpToken, Otp: await mailedOtp(dataDir) };
    dropped = 1;
    const baseUrl = new URL(broken.connection.baseUrl).origin;
    const signer = await registerSigner({ baseUrl, credential: options.credential, backoffMs: 1 }, payload);
    expect(dropped).toBe(3);
    const device = new LedgerClient({ ...options, signer });
    const { account } = await device.account.get({ ID: server.access.samples.accountId });
    expect(account.id).toBe(server.access.samples.accountId);
  });

  test("registers a key whose answers were all lost, by what the error carries", async () => {
    const { userName } = options.credential;
    const { OtpToken } = await operator.startDeviceRegistration({ userName });
    const payload = { UserName: userName, OtpToken, Otp: await mailedOtp(dataDir) };
    dropped = -2;
    const baseUrl = new URL(broken.connection.baseUrl).origin;
    const access = { baseUrl, credential: options.credential, backoffMs: 1 };
    const lost: unknown = await registerSigner(access, payload).catch((error: unknown) => error);
    if (!isRegistrationError(lost)) throw lost;
    expect(lost).toMatchObject({ name: "NetworkError", attempts: 4 });
    expect(lost.resume.keyPair.privateKey.extractable).toBe(false);
    const signer = await registerSigner(access, payload, lost.resume);
    expect(signer.privateKey).toBe(lost.resume.keyPair.privateKey);
    const device = new LedgerClient({ ...options, signer });
    const { account } = await device.account.get({ ID: server.access.samples.accountId });
    expect(account.id).toBe(server.access.samples.accountId);
  });

  test("registers a pair that the caller brings", async () => {
    const { userName } = options.credential;
    const { OtpToken } = await operator.startDeviceRegistration({ userName });
    const payload = { UserName: userName, OtpToken, Otp: await mailedOtp(dataDir) };
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const keyPair = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
    const signer = await registerSigner(options, payload, { keyPair });
    expect(signer.privateKey).toBe(keyPair.privateKey);
    const { account } = await new LedgerClient({ ...options, signer }).account.get({
      ID: server.access.samples.accountId,
    });
    expect(account.id).toBe(server.access.samples.accountId);
  });

  test("does once what is asked twice under one id", async () => {
    const first = await client.customer.addAccount(savings(), { id: "once" });
    expect(await client.customer.addAccount(savings(), { id: "once" })).toEqual(first);
  });
});

describe("a device", () => {
  test("registers a key that never leaves WebCrypto, and signs with it", async () => {
    const { userName } = options.credential;
    const { OtpToken } = await operator.startDeviceRegistration({ userName });
    const payload = { UserName: userName, OtpToken, Otp: await mailedOtp(dataDir) };
    const signer = await registerSigner(
      { baseUrl: options.baseUrl, credential: options.credential },
      payload,
    );
    expect(signer.privateKey.extractable).toBe(false);
    const device = new LedgerClient({ ...options, signer });
    const { account } = await device.account.get({ ID: server.access.samples.accountId });
    expect(account.id).toBe(server.access.samples.accountId);
  });
});
