import { createHash, sign } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, loadConfig, settingsOf } from "../../runtime/operations/config/index.ts";
import { compose, type InterfaceRow, type StandardRow } from "../../runtime/server/index.ts";
import { createOperator, type Identity } from "../../ledger/seed/index.ts";
import { newKeyPair } from "../../ledger/seed/signed-calls.ts";
import { bearer } from "../../runtime/auth/bearer/index.ts";
import { callerOf, holderOf, parseCredential, type SchemeVerifier } from "../../runtime/auth/index.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { application } from "../../ledger/application.ts";
import { categories, categoryByName } from "../../ledger/tables/index.ts";
import type { ReadContext, WriteContext } from "../../runtime/pipeline/handler-context.ts";
import { interfaceWith, method } from "../rpc/interface.ts";

const { interfaces } = application;

const operator = interfaces.find((row): row is InterfaceRow => row.descriptor.name === "operator");
if (operator === undefined) throw new Error("the table has no second row");
const token = "an-internal-token";
const institutionId = "091000019";

const { isManagedByCommands: _byCommands, ...operations } = operator;

/** A third interface: some of the operator's operations for branches, which sign as everyone does. */
const annex: InterfaceRow = {
  ...operations,
  descriptor: { ...operator.descriptor, name: "annex", path: "/annex" },
};
/** A fourth, whose spec names another authentication scheme. */
const desk: InterfaceRow = {
  ...operations,
  descriptor: { ...operator.descriptor, name: "desk", path: "/desk", authScheme: "bearer" },
  auth: bearer({
    caller: (sent) => (sent.token === token ? { userName: "desk", institutionId } : undefined),
    scopes: () => ["ListAudit", "CreateCategory"],
  }),
};
/** A scheme over the users of the store, with nothing signed. */
const keyHolder: SchemeVerifier<"apiKey"> = {
  kind: "apiKey",
  bind: (_declared, { realm, clock, services }) => ({
    verifies: "request",
    async verify({ header }) {
      const credential = parseCredential(header("authorization").join());
      const holder = credential && services && (await holderOf(credential, { ...services, realm, clock }));
      if (holder === undefined) return { kind: "rejected" };
      return {
        kind: "identity",
        identity: { caller: callerOf(holder.user), scopes: holder.user.scopes },
      };
    },
  }),
};
/** A fifth, which is no signed one: its handlers have the store of the others. */
const shelf: StandardRow = {
  descriptor: {
    ...interfaceWith({
      methods: {
        add: method("add", { effect: "create", open: true, security: [{ user: [] }] }),
        has: method("has", { open: true, security: [{ user: [] }] }),
        whoami: method("whoami", { security: [{ holder: ["whoami"] }] }),
        wrong: method("wrong", {
          security: [{ user: [] }],
          validateResult: Object.assign(() => false, {
            errors: [{ instancePath: "/at", keyword: "type", params: {} }],
          }),
        }),
      },
    }),
    name: "shelf",
    path: "/shelf",
    schemes: { user: { kind: "bearer" }, holder: { kind: "apiKey" } },
  },
  handlers: {
    whoami: async (_params: object, { caller }: ReadContext) => caller.userName,
    add: async ({ name }: { readonly name: string }, { store, ids }: WriteContext) => {
      const id = ids.id();
      await store.insert(categories, { id, institutionId, name, createdAt: 0 });
      if (name === "late") throw new Error("name late, after it was written");
      return { id };
    },
    has: async ({ name }: { readonly name: string }, { store }: ReadContext) =>
      (await store.one(categoryByName, institutionId, name)) !== undefined,
    wrong: async () => ({ at: "a" }),
  },
  auth: {
    user: bearer({
      caller: (sent) => (sent.token === token ? { userName: "shelf", institutionId } : undefined),
    }),
    holder: keyHolder,
  },
  callerOf: ({ user, holder }) => ({ userName: "shelf", institutionId, ...Object((user ?? holder)?.caller) }),
};
const table = [...interfaces, annex, desk, shelf];
const extended = { ...application, interfaces: table };
const named = table.filter(({ beside }) => !beside).map(({ descriptor }) => descriptor.name);

const folder = mkdtempSync(join(tmpdir(), "interfaces-"));
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** The service with the whole table, on free ports, over what the folder has. */
async function serve(settings: Readonly<Record<string, string>> = {}) {
  const ports = { PORT: "0", OPERATOR_PORT: "0", ANNEX_PORT: "0", DESK_PORT: "0", SHELF_PORT: "0" };
  const config = loadConfig(extended, { ...ports, LEDGER_DATA_DIR: folder, ...settings });
  const logger = pino({ level: "silent" });
  const service = await compose(extended, { config, logger, migrate: true });
  const listening = await service.listen();
  opened.push(() => listening.close());
  return { service, urls: listening.urls, addressOf: addressIn(listening.urls) };
}

/** The same over a new file, with one operator. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  await writeMigratedFile(join(folder, "ledger.sqlite"));
  const { service, ...served } = await serve(settings);
  const { store, clock, ids } = service;
  const { publicKeyPem, privateKeyPem } = newKeyPair();
  const person = { userName: "olaf", email: "olaf@bank.example", publicKeyPem };
  const access = await createOperator(
    { store, clock, ids },
    { institutionId, institutionName: "Bank", ...person },
  );
  const operator = { userName: "olaf", privateKeyPem, ...access };
  return { ...served, operator };
}

const addressIn =
  (urls: ReadonlyMap<string, string>) =>
  (name: string): string => {
    const path = table.find(({ descriptor }) => descriptor.name === name)?.descriptor.path ?? "";
    return `${urls.get(name) ?? ""}${path}`;
  };

async function send(address: string, request: object, headers = {}): Promise<unknown> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(request),
  });
  return response.json();
}

/** A call in the documented scheme. */
function signed(address: string, { userName, apiKey, keyId, privateKeyPem }: Identity) {
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  return (method: string, payload: object): Promise<unknown> => {
    const signature = sign("sha256", Buffer.from(JSON.stringify(payload)), privateKeyPem).toString("base64");
    const id = `call-${(calls += 1)}`;
    return send(address, { id, method, params: { api: { credential, keyId, signature }, payload } });
  };
}
let calls = 0;

test("a row beside another is served on its port, for its users, where it is on", async () => {
  const { urls, operator } = await start({ LEDGER_PARTNER_INTERFACE: "on" });
  expect([...urls.keys()]).toEqual(named);
  const operate = signed(`${urls.get("operator")}/jsonrpc`, operator);
  const issued = await operate("IssueCredential", { userName: "pia", email: "pia@shop.example" });
  const { publicKeyPem, privateKeyPem } = newKeyPair();
  const userName = text(issued, "userName");
  const registered = await operate("RegisterKey", { userName, PublicKey: publicKeyPem });
  const [apiKey, keyId] = [text(issued, "apiKey"), text(registered, "KeyId")];
  const pia = { userName, apiKey, keyId, privateKeyPem };
  const partner = `${urls.get("ledger")}/partner/jsonrpc`;
  expect(await signed(partner, pia)("ListKeys", {})).toMatchObject({ result: { keys: [{ KeyId: keyId }] } });
  expect(await signed(partner, operator)("ListKeys", {})).toHaveProperty("error.code", "BAD_CREDENTIAL");
  expect(
    await operate("IssueCredential", { userName: "p", email: "p@a.example", interface: "partner" }),
  ).toHaveProperty("error.data.reason", "unknown-interface");
});

test("a page of another name that was made to lead here gets 421 of both ports, and is counted", async () => {
  const { urls } = await start();
  const status = (name: string, path: string, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${urls.get(name)}${path}`, { headers: { host }, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
  for (const path of ["/metrics", "/jsonrpc", "/console/", "/healthz"])
    expect(await status("operator", path, "evil.example"), path).toBe(421);
  expect(await status("ledger", "/jsonrpc", "evil.example")).toBe(421);
  expect(await status("operator", "/healthz", "localhost")).toBe(200);
  const shown = await (await fetch(`${urls.get("operator")}/metrics`)).text();
  const counted = 'ledger_rpc_connections_refused_total{interface="operator",reason="host-name"} 4';
  expect(shown).toContain(counted);
});

test("the pages of a row beside another are on its port, with nothing of other interfaces", async () => {
  const { urls } = await start({ LEDGER_PARTNER_INTERFACE: "on" });
  const page = (file: string, name = "ledger") => fetch(`${urls.get(name)}/partner/${file}`);
  for (const file of ["", "web/partner/partner.ts", "generated/partner/client/index.ts"]) {
    const { status, headers } = await page(file);
    expect(status, file).toBe(200);
    expect(headers.get("content-security-policy"), file).toContain("script-src 'self'");
  }
  for (const file of ["web/operator/operator.ts", "generated/operator/client/index.ts", "jsonrpc"])
    expect((await page(file)).ok, file).toBe(false);
  expect((await page("", "operator")).status).toBe(404);
});

test.each([{}, { LEDGER_PARTNER_INTERFACE: "on", LEDGER_CONSOLE_PAGES: "off" }])(
  "the pages of a row beside another are not there with %j",
  async (settings) => {
    const { urls } = await start(settings);
    expect((await fetch(`${urls.get("ledger")}/partner/`)).status).toBe(404);
  },
);

test.each([
  [{}, { ledger: "docs/", operator: "console/" }],
  [{ LEDGER_CONSOLE_PAGES: "off" }, { ledger: "docs/", operator: "docs/" }],
  [{ LEDGER_REFERENCE_PAGES: "off" }, { ledger: null, operator: "console/" }],
  [
    { LEDGER_REFERENCE_PAGES: "off", LEDGER_PARTNER_INTERFACE: "on" },
    { ledger: "partner/", operator: "console/" },
  ],
])("the root of a port leads to pages that are there, with %j", async (settings, places) => {
  const { urls } = await start(settings);
  for (const [name, place] of Object.entries(places)) {
    const response = await fetch(`${urls.get(name)}/`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")], name).toEqual([
      place === null ? 404 : 302,
      place,
    ]);
    if (place !== null) expect((await fetch(`${urls.get(name)}/`)).status, name).toBe(200);
  }
});

test("a row beside another is not there unless it is on", async () => {
  const { urls } = await start();
  const response = await fetch(`${urls.get("ledger")}/partner/jsonrpc`, { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
});

test("a row adds an interface with users of its own, whom operators issue credentials", async () => {
  const { urls, operator, addressOf } = await start();
  expect([...urls.keys()]).toEqual(named);
  const operate = signed(addressOf("operator"), operator);
  const user = { userName: "bea", email: "bea@bank.example", scopes: ["CreateCategory"] };
  for (const unknown of ["operator", "elsewhere"]) {
    expect(await operate("IssueCredential", { ...user, interface: unknown })).toMatchObject({
      error: { code: "BAD_INPUT", data: { field: "/interface", reason: "unknown-interface" } },
    });
  }
  const issued = await operate("IssueCredential", { ...user, interface: "annex" });
  const { publicKeyPem, privateKeyPem } = newKeyPair();
  const userName = text(issued, "userName");
  const registered = await operate("RegisterKey", { userName, PublicKey: publicKeyPem });
  expect(await operate("ListUsers", { interface: "annex" })).toMatchObject({
    result: { users: [{ userName, interface: "annex" }] },
  });
  expect(await operate("ListUsers", {})).toMatchObject({ result: { users: [] } });

  const bea = {
    userName,
    apiKey: text(issued, "apiKey"),
    keyId: text(registered, "KeyId"),
    privateKeyPem,
  };
  const category = { name: "Checking" };
  expect(await signed(addressOf("annex"), bea)("CreateCategory", category)).toHaveProperty(
    "result.categoryId",
  );
  expect(await signed(addressOf("annex"), bea)("ListAudit", {})).toHaveProperty("error.code", "UNAUTHORIZED");
  for (const elsewhere of ["ledger", "operator"]) {
    const answer = await signed(addressOf(elsewhere), bea)("CreateCategory", category);
    expect(answer).toHaveProperty("error.code", elsewhere === "ledger" ? "UNAUTHORIZED" : "BAD_CREDENTIAL");
  }
  expect((await fetch(`${urls.get("annex")}/healthz`)).status).toBe(200);
});

test("a spec names its authentication scheme, which a row of the schemes' table adds", async () => {
  const { operator, addressOf } = await start();
  const call = (authorization: string, method: string, payload: object): Promise<unknown> =>
    send(addressOf("desk"), { id: "1", method, params: { api: {}, payload } }, { authorization });
  const category = { name: "Savings" };
  expect(await call(`Bearer ${token}`, "CreateCategory", category)).toHaveProperty("result.categoryId");
  expect(await call("Bearer wrong", "CreateCategory", category)).toHaveProperty(
    "error.code",
    "BAD_CREDENTIAL",
  );
  expect(await call(`Bearer ${token}`, "CreateSource", {})).toHaveProperty("error.code", "UNAUTHORIZED");
  const byOperator = await signed(addressOf("desk"), operator)("CreateCategory", category);
  expect(byOperator).toHaveProperty("error.code", "BAD_CREDENTIAL");
});

test("behind a proxy that ends TLS, a signed target URI is the one that callers see", async () => {
  const settings = { LEDGER_REPLAY: "strict", OPERATOR_ORIGIN: "https://operator.bank.example" };
  const { operator, addressOf } = await start(settings);
  const address = addressOf("operator");
  const { pathname } = new URL(address);
  const listSources = (uri: string): Promise<unknown> => {
    const { body, headers } = signedMessage(operator, "ListSources", uri);
    return fetch(address, { method: "POST", body, headers }).then((answer) => answer.json());
  };
  expect(await listSources(`https://operator.bank.example${pathname}`)).toHaveProperty("result");
  for (const uri of [address, `https://other.example${pathname}`])
    expect(await listSources(uri)).toHaveProperty("error.data.reason", "message-signature");
});

/** A call without a payload, and the headers of a message signature over its target URI (RFC 9421). */
function signedMessage({ userName, apiKey, keyId, privateKeyPem }: Identity, method: string, uri: string) {
  const signatureOf = (text: string, dsaEncoding: "der" | "ieee-p1363"): string =>
    sign("sha256", Buffer.from(text), { key: privateKeyPem, dsaEncoding }).toString("base64");
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const id = `call-${(calls += 1)}`;
  const api = { credential, keyId, signature: signatureOf("{}", "der") };
  const body = JSON.stringify({ id, method, params: { api, payload: {} } });
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const created = Math.floor(Date.now() / 1000);
  const input =
    `("@method" "@target-uri" "content-digest");created=${created};expires=${created + 60}` +
    `;nonce="${id}";keyid="${keyId}"`;
  const base = `"@method": POST\n"@target-uri": ${uri}\n"content-digest": ${digest}\n"@signature-params": ${input}`;
  const headers = {
    "Content-Type": "application/json",
    "Content-Digest": digest,
    "Signature-Input": `sig1=${input}`,
    Signature: `sig1=:${signatureOf(base, "ieee-p1363")}:`,
  };
  return { body, headers };
}

test("a service with public ports alone says where its metrics are", async () => {
  const own = interfaces.filter(({ isPublic }) => isPublic === true);
  const publicOnly = { ...application, interfaces: own };
  const logged: string[] = [];
  const logger = pino({ level: "info" }, { write: (line) => void logged.push(line) });
  for (const shown of ["off", "on"]) {
    const env = { PORT: "0", LEDGER_DATA_DIR: folder, LEDGER_METRICS_PUBLIC: shown };
    const service = await compose(publicOnly, { config: loadConfig(publicOnly, env), logger, migrate: true });
    await (await service.listen()).close();
    expect(logged.filter((line) => line.includes("metrics.public"))).toHaveLength(1);
  }
});

test("another scheme than the one that the spec names is refused at start", async () => {
  const { auth: _bearer, ...row } = desk;
  const wrong = { ...application, interfaces: [...interfaces, row] };
  const config = loadConfig(wrong, { LEDGER_DATA_DIR: folder });
  const start = compose(wrong, {
    config,
    logger: pino({ level: "silent" }),
    migrate: true,
  });
  await expect(start).rejects.toThrow(/the desk interface .* scheme bearer .* has signedEnvelope: correct/);
});

test("a scheme over the users of the store serves a standard interface, too", async () => {
  const { operator, addressOf } = await start({ LEDGER_RATE_PER_SECOND: "1", LEDGER_RATE_BURST: "3" });
  const operate = signed(addressOf("operator"), operator);
  const user = { userName: "bea", email: "bea@bank.example", scopes: ["whoami"], interface: "shelf" };
  const issued = await operate("IssueCredential", user);
  const [userName, key] = [text(issued, "userName"), text(issued, "apiKey")];
  const call = async (sent: string) => {
    const response = await fetch(addressOf("shelf"), {
      method: "POST",
      headers: { "Content-Type": "application/json", authorization: `Basic ${btoa(`${userName}:${sent}`)}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "whoami" }),
    });
    return [await response.json(), response.headers.get("RateLimit-Remaining")];
  };
  expect(await call(key)).toMatchObject([{ result: userName }, "2"]);
  expect(await call("wrong")).toMatchObject([{ error: { code: -32001 } }, "2"]);
  expect(await call(key)).toMatchObject([{ result: userName }, "1"]);
});

/** A text of an answer's result. */
function text(answer: unknown, name: string): string {
  const result = z.object({ result: z.record(z.string(), z.unknown()) }).parse(answer).result;
  return z.string().parse(result[name]);
}

test("settings are named after the interfaces, and the names of before are still taken", () => {
  const settings = settingsOf(extended);
  const variables = settings.filter(({ path }) => /^(?:ledger|operator|annex|desk)\./.test(path));
  expect(variables.map(({ path, env }) => `${path} ${env}`)).toEqual([
    "ledger.host LEDGER_HOST",
    "ledger.port PORT",
    "ledger.names LEDGER_NAMES",
    "ledger.origin LEDGER_ORIGIN",
    "operator.host OPERATOR_HOST",
    "operator.port OPERATOR_PORT",
    "operator.names OPERATOR_NAMES",
    "operator.origin OPERATOR_ORIGIN",
    "annex.host ANNEX_HOST",
    "annex.port ANNEX_PORT",
    "annex.names ANNEX_NAMES",
    "annex.origin ANNEX_ORIGIN",
    "desk.host DESK_HOST",
    "desk.port DESK_PORT",
    "desk.names DESK_NAMES",
    "desk.origin DESK_ORIGIN",
  ]);
  expect(loadConfig(extended, {}).endpoints.get("annex")).toEqual({
    host: "127.0.0.1",
    port: 8080 + named.indexOf("annex"),
    names: [],
  });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "ledger-server.yaml");
  writeFileSync(file, "http:\n  host: 127.0.0.2\n  port: 9123\n");
  expect(loadConfig(application, { LEDGER_CONFIG: file }).endpoints.get("ledger")).toEqual({
    host: "127.0.0.2",
    port: 9123,
    names: [],
  });
  writeFileSync(file, "ledger:\n  port: 9124\n");
  expect(loadConfig(application, { LEDGER_CONFIG: file }).endpoints.get("ledger")?.port).toBe(9124);
  expect(() => loadConfig(extended, { ANNEX_HOST: "0.0.0.0" })).toThrow(ConfigError);
});

test("a standard interface has the store of the others, and its repetitions outlive the process", async () => {
  const headers = { authorization: `Bearer ${token}` };
  const call = async (address: string, name: string, params: object, key?: string): Promise<unknown> =>
    send(
      address,
      { jsonrpc: "2.0", id: 1, method: name, params },
      key === undefined ? headers : { ...headers, "Idempotency-Key": key },
    );
  const first = await start();
  const address = first.addressOf("shelf");
  const added = await call(address, "add", { name: "one" }, "k");
  expect(added).toMatchObject({ result: { id: expect.any(String) } });
  expect(await call(address, "has", { name: "one" })).toMatchObject({ result: true });
  expect(await call(address, "add", { name: "late" })).toHaveProperty("error.code", -32603);
  expect(await call(address, "has", { name: "late" })).toMatchObject({ result: false });
  expect(await call(address, "wrong", {})).toHaveProperty("error.code", -32603);
  expect(await send(address, { jsonrpc: "2.0", id: 1, method: "has" })).toHaveProperty("error.code", -32001);
  const batch = ["one", "two"].map((name, id) => ({ jsonrpc: "2.0", id, method: "has", params: { name } }));
  expect(await send(address, batch, headers)).toMatchObject([{ result: true }, { result: false }]);
  expect(await send(first.addressOf("ledger"), batch)).toHaveProperty("error.code", "BAD_INPUT");
  const shown = await (await fetch(`${first.urls.get("shelf")}/metrics`)).text();
  expect(shown).toMatch(/ledger_rpc_requests_total\{interface="shelf",method="add",code="OK"\} 1/);

  for (const close of opened.splice(0)) await close();
  const again = (await serve()).addressOf("shelf");
  expect(await call(again, "add", { name: "one" }, "k")).toEqual(added);
  expect(await call(again, "add", { name: "two" }, "k")).toHaveProperty(
    "error.data.reason",
    "idempotency-key-reused",
  );
});
