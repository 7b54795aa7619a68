import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  isLedgerError,
  LedgerClient,
  messageSignatures,
  registerSigner,
} from "../../generated/ledger/client/index.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { mailedOtp } from "../client/mailed-otp.ts";
import { ledgerServer } from "./ledger-server.ts";
import { startServer, type RunningServer } from "./server.ts";

/** Whoever calls a service under `auth.replay: strict` signs each message, too (D-24). It has production's accounts (D-55). */
const dataDir = mkdtempSync(join(tmpdir(), "ledger-strict-"));
const main = join(import.meta.dirname, "../../generator/cli/main.ts");
/** Rejects for an exit code other than 0. */
const run = (args: readonly string[]) => promisify(execFile)(process.execPath, args);
const environment = {
  LEDGER_REPLAY: "strict",
  LEDGER_OVERDRAFT: "refuse",
  LEDGER_CLOSING: "settled",
};
let server: RunningServer;

beforeAll(async () => (server = await startServer(dataDir, environment)));
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

function options() {
  const { baseUrl, userName, apiKey, keyId, privateKeyPem } = server.access;
  const credential = { userName, apiKey };
  return {
    baseUrl,
    credential,
    signer: { keyId, privateKey: privateKeyPem },
    messageSignatures,
    backoffMs: 1,
  };
}

function operator(): OperatorClient {
  const { operatorUrl, operator: credential } = server.access;
  const signer = { keyId: credential.keyId, privateKey: credential.privateKeyPem };
  return new OperatorClient({ baseUrl: operatorUrl, credential, signer, messageSignatures });
}

test("a client that signs messages is answered, one that does not is told why", async () => {
  const { messageSignatures: _none, ...without } = options();
  const ID = server.access.samples.accountId;
  expect((await new LedgerClient(options()).account.get({ ID })).account.id).toBe(ID);
  const refused: unknown = await new LedgerClient(without).account.get({ ID }).catch((error) => error);
  expect(isLedgerError(refused, "INVALID_SIGNATURE") && refused.reason).toBe("message-signature");
});

test("a flat create whose answer was lost takes effect once", async () => {
  let sent = 0;
  const losesFirst = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if ((sent += 1) > 1) return response;
    await response.text();
    throw new TypeError("lost");
  };
  const { subscriptionId } = await new LedgerClient({ ...options(), fetch: losesFirst }).createSubscription({
    name: "lost answer",
    callbackUrl: "http://127.0.0.1:9/",
    events: ["Account.NEW"],
    groupId: [server.access.samples.accountNumber],
  });
  const { subscriptions } = await operator().listSubscriptions({});
  expect(sent).toBe(2);
  const made = subscriptions.filter(({ name }) => name === "lost answer");
  expect(made.map((each) => each.subscriptionId)).toEqual([subscriptionId]);
});

test("a key is registered by a message that it signs itself", async () => {
  const { signer: _registered, ...unregistered } = options();
  const { userName: UserName, samples } = server.access;
  const { OtpToken } = await operator().startDeviceRegistration({ userName: UserName });
  const Otp = await mailedOtp(dataDir);
  const signer = await registerSigner(unregistered, { UserName, OtpToken, Otp });
  const { account } = await new LedgerClient({ ...options(), signer }).account.get({ ID: samples.accountId });
  expect(account.id).toBe(samples.accountId);
});

test("the suite and a call sign messages where the access file says so", async () => {
  const access = ["--access", join(dataDir, "access.json")];
  const operations = ["AccountService.GetAccount", "CreateSubscription", "GetSource", "scenario"];
  const conform = ["conform", ...access, "--explore", "0", "--operation", ...operations];
  const source = JSON.stringify({ source: server.access.samples.source });
  const url = ["--url", `${server.access.baseUrl}/jsonrpc`];
  await run([main, ...conform]);
  const { stdout } = await run([main, "call", "GetSource", source, ...url, ...access]);
  expect(JSON.parse(stdout).source).toBe(server.access.samples.source);
});

test("the call to paste is answered", () => {
  const [, script = ""] = /another terminal:\n\n([\s\S]*?)\n\nThen:/.exec(server.printed()) ?? [];
  expect(execFileSync("bash", ["-euc", script], { encoding: "utf8" })).toContain('"result":{"account"');
});

test("the commands of an operator sign messages", () => {
  const env = { OPERATOR_ACCESS_FILE: join(dataDir, "access.json") };
  expect(ledgerServer(["customers", "list"], env)).toMatchObject({ code: 0, err: "" });
});
