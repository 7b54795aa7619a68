import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractClient } from "./contract-client.ts";
import { startCollector, type CollectedSpan, type Collector } from "./otlp-collector.ts";
import { startReceiver, type Received } from "./receiver.ts";
import { startServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-tracing-"));
/** Makes every attempt to load a package of OpenTelemetry fail, but for its API: `prom-client` imports that. */
const withoutPackages =
  "--import=data:text/javascript,import{registerHooks}from'node:module';" +
  "registerHooks({resolve(s,c,n){if(/^@opentelemetry.(?!api)/.test(s))throw" +
  "(Object.assign(new(Error)('absent'),{code:'ERR_MODULE_NOT_FOUND'}));return(n(s,c))}})";
const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

let collector: Collector;
let notification: Received;
let printed: string;
const secrets: string[] = [];

beforeAll(async () => {
  collector = await startCollector();
  const receiver = await startReceiver();
  const env = {
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  };
  const server = await startServer(join(folder, "on"), env);
  const { access } = server;
  const client = contractClient(access.baseUrl, access);
  const { accountNumber } = access.samples;
  try {
    const events = ["Account.UPDATE"];
    await client.flat({
      name: "Books",
      callbackUrl: `${receiver.url}/s3cret`,
      events,
      groupId: [accountNumber],
    });
    const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
    const suspended = { accountNumber, status: "SUSPENDED" };
    const answer = await client.call("AccountService.UpdateAccountStatus", suspended, { traceparent });
    expect(answer.error).toBeUndefined();
    const [first] = await receiver.until(1);
    if (first === undefined) throw new Error("no webhook arrived");
    notification = first;
    await client.call("AccountService.GetAccount", { accountNumber: "1" });
    await client.call("AccountService.GetAccount", { accountNumber }, { traceparent: "00-unreadable" });
  } finally {
    client.close();
    await server.stop();
    await receiver.close();
  }
  printed = server.printed();
  secrets.push(access.userName, access.apiKey, access.keyId, accountNumber, "s3cret", "SUSPENDED");
});
afterAll(async () => {
  await collector.close();
  rmSync(folder, { recursive: true });
});

const named = (name: string): readonly CollectedSpan[] =>
  collector.spans.filter((span) => span.name === name);
const below = ({ spanId }: CollectedSpan): readonly string[] =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);

test("a call is a span of the caller's trace, its stages and transactions are below it", () => {
  const [call, ...others] = named("AccountService.UpdateAccountStatus");
  if (call === undefined) throw new Error("the call is not traced");
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    traceId: caller.traceId,
    parentSpanId: caller.spanId,
    kind: 2,
    isFailed: false,
  });
  expect(call.attributes).toEqual({
    "rpc.system.name": "jsonrpc",
    "rpc.method": "AccountService.UpdateAccountStatus",
    "rpc.response.status_code": "OK",
    "http.response.status_code": 200,
    "ledger.interface": "ledger",
  });
  expect(below(call)).toEqual(["decode", "authenticate", "authorize", "validate", "dispatch", "encode"]);
  const [dispatch] = named("dispatch").filter(({ parentSpanId }) => parentSpanId === call.spanId);
  expect(dispatch && below(dispatch)).toEqual(["store transaction"]);
  const [transaction] = named("store transaction").filter(({ traceId }) => traceId === caller.traceId);
  expect(transaction?.attributes).toEqual({ "db.system.name": "sqlite" });
  expect(printed).toContain(`"traceId":"${caller.traceId}"`);
});

test("the webhook continues the trace, and tells the subscriber", () => {
  const [transaction] = named("store transaction").filter(({ traceId }) => traceId === caller.traceId);
  const [webhook] = named("webhook");
  expect(webhook).toMatchObject({ traceId: caller.traceId, kind: 3, isFailed: false });
  expect(webhook?.parentSpanId).toBe(transaction?.spanId);
  expect(webhook?.attributes).toMatchObject({
    "ledger.event": "Account.UPDATE",
    "ledger.delivery.attempt": 1,
    "http.response.status_code": 204,
    "server.address": "127.0.0.1",
  });
  expect(notification.headers["traceparent"]).toBe(`00-${caller.traceId}-${webhook?.spanId}-01`);
});

test("a refused call says its code and is no failure of the service; an unreadable traceparent begins a trace", () => {
  const [refused, answered] = named("AccountService.GetAccount");
  expect(refused).toMatchObject({ parentSpanId: "", isFailed: false });
  expect(refused?.attributes["rpc.response.status_code"]).not.toBe("OK");
  expect(answered).toMatchObject({ parentSpanId: "" });
  expect(answered?.traceId).not.toBe(refused?.traceId);
});

test("no span names a person, an account, a key, a payload or the path of a callback", () => {
  expect(collector.resource).toMatchObject({
    "service.name": "ledger-server",
    "deployment.environment.name": "test",
  });
  expect(collector.spans.length).toBeGreaterThan(20);
  expect(secrets.filter((secret) => collector.text().includes(secret))).toEqual([]);
});

test("off, no package of OpenTelemetry is loaded, and none has to be installed", async () => {
  const server = await startServer(join(folder, "off"), { NODE_OPTIONS: withoutPackages });
  expect(await server.stop()).toBe(0);
});

test("on without the packages, the start says what to install", async () => {
  const env = {
    ...process.env,
    NODE_OPTIONS: withoutPackages,
    OTEL_TRACES_EXPORTER: "otlp",
    LEDGER_DATA_DIR: join(folder, "on"),
  };
  const started = promisify(execFile)(process.execPath, ["ledger/cli/main.ts", "serve"], { env });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("npm ci --omit=dev"),
  });
});
