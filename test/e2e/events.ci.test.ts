import { execFile, execFileSync, spawn } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { until } from "../until.ts";
import { contractClient, type ContractClient } from "./contract-client.ts";
import { startReceiver, type Received, type Receiver } from "./receiver.ts";
import { startServer, type RunningServer } from "./server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-events-"));
let server: RunningServer;
let client: ContractClient;
let operator: ContractClient;
let receiver: Receiver;

beforeAll(async () => {
  server = await startServer(dataDir);
  client = contractClient(server.access.baseUrl, server.access);
  operator = contractClient(server.access.operatorUrl, server.access.operator);
});
afterEach(() => receiver.close());
afterAll(async () => {
  await server.stop();
  client.close();
  operator.close();
  rmSync(dataDir, { recursive: true });
});

async function subscribe(fields: object = {}): Promise<string> {
  const answer = await client.flat({
    name: "Treasury",
    callbackUrl: receiver.url,
    events: ["Transaction.NEW", "Transaction.UPDATE", "Account.UPDATE", "Account.NEW"],
    groupId: [server.access.samples.accountNumber],
    ...fields,
  });
  expect(answer.error).toBeUndefined();
  return String(answer["subscriptionId"]);
}

const setStatus = (status: string) =>
  client.call("AccountService.UpdateAccountStatus", {
    accountNumber: server.access.samples.accountNumber,
    status,
  });

test("a subscriber gets a notification of its account, in the contract's shape", async () => {
  receiver = await startReceiver();
  const subscriptionId = await subscribe();
  expect((await setStatus("SUSPENDED")).error).toBeUndefined();
  const [first] = await receiver.until(1);
  expect(first?.json).toEqual({
    source: "ledger",
    eventId: expect.stringMatching(/./),
    eventName: "Account.UPDATE",
    groupId: [server.access.samples.accountNumber],
    subscriptionId,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sequence: 1,
    payload: expect.objectContaining({ number: server.access.samples.accountNumber, status: "SUSPENDED" }),
    signature: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
  });
  expect(first?.headers["content-type"]).toBe("application/json");
  await setStatus("ACTIVE");
  const [, second] = await receiver.until(2);
  expect(second?.json).toMatchObject({ sequence: 2, payload: { status: "ACTIVE" } });
  expect(second?.json.eventId).not.toBe(first?.json.eventId);
});

test("what the guide says to paste works when pasted", async () => {
  receiver = await startReceiver();
  const guide = readFileSync(join(import.meta.dirname, "../../docs/events.md"), "utf8");
  const script = /```sh\n(get\(\)[^]*?)```/.exec(guide)?.[1] ?? "";
  const here = script.replaceAll(".data/", `${dataDir}/`).replaceAll(":9000/", `:${receiver.port}/`);
  await promisify(execFile)("bash", ["-euc", here]);
  const [sent] = await receiver.until(1);
  expect(sent?.json).toMatchObject({ eventName: "Account.UPDATE", payload: { status: "SUSPENDED" } });
  await setStatus("ACTIVE");
});

test("openssl verifies both signatures with the published keys", async () => {
  receiver = await startReceiver();
  await subscribe();
  await setStatus("BLOCKED");
  await setStatus("ACTIVE");
  const [first] = await receiver.until(2);
  if (first === undefined) throw new Error("nothing arrived");
  const answer = await fetch(`${server.access.baseUrl}/.well-known/jwks.json`);
  expect(answer.headers.get("content-type")).toBe("application/jwk-set+json");
  const { keys } = JSON.parse(await answer.text());
  expect(keys.map(({ alg }: { alg: string }) => alg).toSorted()).toEqual(["ES256", "EdDSA"]);
  expect(JSON.stringify(keys)).not.toContain('"d"');

  const [, payload = ""] = /"payload":(\{.*\}),"signature":"[^"]*"\}$/.exec(first.body) ?? [];
  expect(verified(jwk(keys, "ES256"), payload, first.json.signature, ["dgst", "-sha256"])).toBe(true);
  expect(verified(jwk(keys, "ES256"), `${payload} `, first.json.signature, ["dgst", "-sha256"])).toBe(false);

  const [, webhook = ""] = /(?:^| )v1a,(\S+)/.exec(first.headers["webhook-signature"] ?? "") ?? [];
  expect(verified(jwk(keys, "EdDSA"), signedContent(first), webhook)).toBe(true);
  expect(verified(jwk(keys, "EdDSA"), `${signedContent(first)} `, webhook)).toBe(false);
});

function signedContent({ headers, body }: Received): string {
  return `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
}

function jwk(keys: readonly { readonly alg: string }[], alg: string): string {
  const key = keys.find((candidate) => candidate.alg === alg);
  if (key === undefined) throw new Error(`no ${alg} key`);
  return createPublicKey({ key: { ...key }, format: "jwk" })
    .export({ type: "spki", format: "pem" })
    .toString();
}

/** By openssl alone: ECDSA over a digest, Ed25519 over the content. */
function verified(publicKeyPem: string, content: string, signature: string, digest?: string[]): boolean {
  const folder = mkdtempSync(join(tmpdir(), "ledger-verify-"));
  const file = (name: string, data: string | Buffer): string => {
    writeFileSync(join(folder, name), data);
    return join(folder, name);
  };
  const key = file("key.pem", publicKeyPem);
  const signed = file("content", content);
  const sig = file("signature", Buffer.from(signature, "base64"));
  const command =
    digest === undefined
      ? ["pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", signed, "-sigfile", sig]
      : [...digest, "-verify", key, "-signature", sig, signed];
  try {
    execFileSync("openssl", command, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the operator sees the attempts, and the metrics tell of them", async () => {
  // One attempt is all there is, however long this test takes to look.
  receiver = await startReceiver((_request, response) =>
    response.writeHead(503, { "Retry-After": "3600" }).end("restarting"),
  );
  const subscriptionId = await subscribe();
  await setStatus("SUSPENDED");
  await receiver.until(1);
  const attempted = async (): Promise<Record<string, unknown> | undefined> => {
    const { result } = await operator.call("ListDeliveries", { subscriptionId });
    const [first] = list(result?.["deliveries"]);
    return first?.["attempts"] === 1 ? first : undefined;
  };
  let delivery = await attempted();
  while (delivery === undefined) delivery = await attempted();
  const { result } = await operator.call("GetDelivery", { deliveryId: delivery["deliveryId"] });
  expect(result?.["attemptsMade"]).toEqual([
    expect.objectContaining({ number: 1, status: 503, failure: "status", response: "restarting" }),
  ]);
  const metrics = await (await fetch(`${server.access.operatorUrl}/metrics`)).text();
  expect(metrics).toMatch(/^ledger_rpc_deliveries\{state="PENDING"\} [1-9]/m);
  expect(metrics).toMatch(/^ledger_rpc_delivery_attempts_total\{outcome="status"\} 1$/m);
  expect(metrics).toMatch(/^ledger_rpc_job_attempts_total\{kind="notification",outcome="status"\} 1$/m);
  expect(metrics).toMatch(/^ledger_rpc_delivery_attempts_total\{outcome="delivered"\} [1-9]/m);
  expect(metrics).toMatch(/^ledger_rpc_delivery_oldest_pending_seconds \d/m);
  expect(metrics).toMatch(/^ledger_rpc_outbox_lag_seconds 0$/m);
  await operator.call("DeleteSubscription", { subscriptionId });
  await setStatus("ACTIVE");
});

test("events tail follows deliveries beside the running service", async () => {
  receiver = await startReceiver();
  const subscriptionId = await subscribe();
  const tail = spawn(
    process.execPath,
    ["ledger/cli/main.ts", "events", "tail", "--json", "--interval-ms", "20"],
    {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, LEDGER_DATA_DIR: dataDir },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let printed = "";
  tail.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const lines = (): readonly object[] =>
    printed
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const delivered = (): object | undefined =>
    lines().find(
      (line) =>
        "state" in line && line.state === "DELIVERED" && JSON.stringify(line).includes(subscriptionId),
    );
  // It shows what happens after its first look: events happen until it has seen one arrive.
  let status = "ACTIVE";
  await until(async () => {
    status = status === "ACTIVE" ? "SUSPENDED" : "ACTIVE";
    await setStatus(status);
    return delivered() !== undefined;
  });
  tail.kill("SIGINT");
  const [code] = await once(tail, "exit");
  expect(code).toBe(0);
  expect(delivered()).toMatchObject({
    subscriptionId,
    eventName: "Account.UPDATE",
    attempt: { number: 1, status: 204 },
  });
  await setStatus("ACTIVE");
});

function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}
