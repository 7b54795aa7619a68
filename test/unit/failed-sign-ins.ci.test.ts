import { sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createRequestLog } from "../../runtime/operations/http/log.ts";
import type { RawResponse } from "../../runtime/pipeline/index.ts";
import { createOperator } from "../../ledger/seed/index.ts";
import { newKeyPair } from "../../ledger/seed/signed-calls.ts";
import { compose } from "../../runtime/server/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { application } from "../../ledger/application.ts";

const folder = mkdtempSync(join(tmpdir(), "failed-sign-ins-"));
const lines: string[] = [];
let service: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  service = await start();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const settings = { PORT: "0", OPERATOR_PORT: "0", LEDGER_PARTNER_INTERFACE: "on" };
  const config = loadConfig(application, { ...settings, LEDGER_DATA_DIR: folder });
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  await writeMigratedFile(join(folder, "ledger.sqlite"));
  const composed = await compose(application, { config, logger, migrate: true });
  const { urls, close } = await composed.listen();
  const { store, clock, ids } = composed;
  const keys = newKeyPair();
  const person = { userName: "olaf", email: "olaf@bank.example", publicKeyPem: keys.publicKeyPem };
  const bank = { institutionId: "091000019", institutionName: "Bank", ...person };
  const { apiKey, keyId } = await createOperator({ store, clock, ids }, bank);
  const olaf = { userName: "olaf", apiKey, keyId, privateKeyPem: keys.privateKeyPem };
  return { urls, close, olaf };
}

const methods: Readonly<Record<string, string>> = {
  "ledger/jsonrpc": "AccountService.ListAccounts",
  "operator/jsonrpc": "ListUsers",
  "ledger/partner/jsonrpc": "ListKeys",
};

/** Calls an operation that needs no payload; gives the code of its error and its log line. */
async function call(path: string, caller: typeof service.olaf) {
  const [port = "", ...rest] = path.split("/");
  const payload = {};
  const credential = Buffer.from(`${caller.userName}:${caller.apiKey}`).toString("base64");
  const signature = sign("sha256", Buffer.from(JSON.stringify(payload)), caller.privateKeyPem);
  const api = {
    credential: `Basic ${credential}`,
    apiKey: caller.apiKey,
    keyId: caller.keyId,
    signature: signature.toString("base64"),
  };
  lines.length = 0;
  const response = await fetch(`${service.urls.get(port) ?? ""}/${rest.join("/")}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "1", method: methods[path], params: { api, payload } }),
  });
  const answer = z.object({ error: z.object({ code: z.string() }).optional() }).parse(await response.json());
  const line: object = JSON.parse(lines.find((each) => each.includes('"answered"')) ?? "{}");
  return { code: answer.error?.code, line };
}

test.each(["ledger/jsonrpc", "operator/jsonrpc", "ledger/partner/jsonrpc"])(
  "a failed sign-in at %s is logged with the address and the claimed names, bounded and escaped",
  async (path) => {
    const userName = `eve\u0000\n\u001b[2J\u202e\u2028${"x".repeat(1000)}`;
    const { code, line } = await call(path, { ...service.olaf, userName, keyId: "k\u202e".repeat(60) });
    expect(code).toBe("BAD_CREDENTIAL");
    expect(line).toHaveProperty("failedSignIn", {
      fault: "credential",
      address: "127.0.0.1",
      claimedUser: `eve\\u{0}\\u{a}\\u{1b}[2J\\u{202e}\\u{2028}${"x".repeat(69)}…`,
      claimedKey: `${"k\\u{202e}".repeat(40)}…`,
    });
    expect(line).not.toHaveProperty("userName");
  },
);

test("a wrong key and a wrong signature are failed sign-ins of the user whose credential is right", async () => {
  const { olaf } = service;
  const foreign = await call("operator/jsonrpc", { ...olaf, keyId: "another" });
  expect(foreign.line).toMatchObject({
    userName: "olaf",
    failedSignIn: { fault: "key", address: "127.0.0.1", claimedKey: "another" },
  });
  const forged = await call("operator/jsonrpc", { ...olaf, privateKeyPem: newKeyPair().privateKeyPem });
  expect(forged.line).toMatchObject({ userName: "olaf", keyId: olaf.keyId });
  expect(forged.line).toHaveProperty("failedSignIn", { fault: "signature", address: "127.0.0.1" });
  const well = await call("operator/jsonrpc", olaf);
  expect(well.code).toBeUndefined();
  expect(well.line).not.toHaveProperty("failedSignIn");
});

test("the metric has the interface and which of credential, key and signature was refused, from 0 on", async () => {
  const { olaf } = service;
  const failures = async () => {
    const text = await (await fetch(`${service.urls.get("operator")}/metrics`)).text();
    expect(text).not.toContain("k-eve-9");
    return new Map(
      [...text.matchAll(/^ledger_rpc_failed_sign_ins_total(\{.*\}) (\d+)$/gm)].map(
        ([, labels, count]) => [labels, Number(count)] as const,
      ),
    );
  };
  const before = await failures();
  await call("operator/jsonrpc", { ...olaf, apiKey: "guessed" });
  await call("operator/jsonrpc", { ...olaf, keyId: "k-eve-9" });
  const after = await failures();
  const grown = [...after].map(([labels, count]) => `${labels} ${count - (before.get(labels) ?? NaN)}`);
  for (const name of ["ledger", "operator"]) {
    const added = name === "operator" ? 1 : 0;
    expect(grown).toContain(`{interface="${name}",reason="credential"} ${added}`);
    expect(grown).toContain(`{interface="${name}",reason="key"} ${added}`);
    expect(grown).toContain(`{interface="${name}",reason="signature"} 0`);
  }
});

/** A log by hand, and what it has logged. */
function loggedBy(clock: { nowMs: number }) {
  const logged: { fields: object; message: string }[] = [];
  const write = (fields: object, message: string) => void logged.push({ fields, message });
  const logger = { info: write, warn: write, error: write };
  const log = createRequestLog({ logger, interfaceName: "test", nowMs: () => clock.nowMs });
  const response = (trace: RawResponse["trace"]) => ({ status: 200, body: "", headers: {}, trace });
  const answer = (trace: RawResponse["trace"]) =>
    log.answered({ requestId: "r", response: response(trace), ms: 1, remoteAddress: "::1" });
  return { logged, log, answer, response };
}

test("of 1,000 failed sign-ins of a minute 100 are logged, and the next minute says how many were not", () => {
  const clock = { nowMs: 0 };
  const { logged, answer } = loggedBy(clock);
  for (let count = 0; count < 1000; count += 1) answer({ failedSignIn: { fault: "credential" } });
  expect(logged).toHaveLength(101);
  expect(logged.at(-1)?.message).toContain("only counted");
  answer({ method: "Do" });
  expect(logged).toHaveLength(102);
  clock.nowMs = 60_000;
  answer({ failedSignIn: { fault: "key" } });
  expect(logged.slice(102)).toEqual([
    { fields: { interface: "test", omittedLines: { credential: 900 } }, message: expect.any(String) },
    {
      fields: expect.objectContaining({ failedSignIn: { fault: "key", address: "::1" } }),
      message: "answered",
    },
  ]);
});

test("whatever else strangers do has 100 lines of its own, and hides neither sign-ins nor callers", () => {
  const clock = { nowMs: 0 };
  const { logged, log, answer, response } = loggedBy(clock);
  for (let count = 0; count < 250; count += 1) {
    answer({ code: "BAD_INPUT", reason: "json" });
    log.refused("r", response({ code: "BAD_INPUT", reason: "path" }));
    log.unanswered("r");
    log.failed("page", {}, "a page failed unexpectedly");
  }
  expect(logged.splice(0)).toHaveLength(101);
  answer({ failedSignIn: { fault: "key" } });
  answer({ userName: "olaf", code: "BAD_INPUT" });
  answer({ method: "Do" });
  expect(logged.splice(0)).toHaveLength(3);
  clock.nowMs = 60_000;
  log.unanswered("r");
  expect(logged).toMatchObject([
    { fields: { omittedLines: { BAD_INPUT: 450, unanswered: 225, page: 225 } } },
    { message: "caller closed the connection" },
  ]);
});

test("a flood at every path of every port is bounded, and a caller's lines come all the same", async () => {
  lines.length = 0;
  const flood = async (url: string, method: string) => {
    const body = method === "POST" ? { body: "{", headers: { "content-type": "application/json" } } : {};
    for (let count = 0; count < 60; count += 1)
      await (await fetch(url, { method, redirect: "manual", ...body })).arrayBuffer();
  };
  for (const port of ["ledger", "operator"]) {
    const url = service.urls.get(port) ?? "";
    for (const path of ["/jsonrpc", "/partner/jsonrpc", "/nowhere", "/readyz"]) {
      await flood(`${url}${path}`, "POST");
      await flood(`${url}${path}`, "DELETE");
    }
    await flood(`${url}/%`, "GET");
  }
  // The partner interface has a share of its own.
  expect(lines.length).toBeLessThanOrEqual(3 * 101);
  expect(lines.length).toBeGreaterThan(200);
  const { line } = await call("operator/jsonrpc", service.olaf);
  expect(line).toMatchObject({ userName: "olaf" });
});
