import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { readAccess, type Access } from "../../conformance/request/access.ts";
import { basicCredential } from "../../conformance/request/schemes/signed-envelope.ts";
import { signatureText } from "../../conformance/request/sign.ts";
import { createMock, newMockAccess, type MockOptions } from "../../tools/mock/index.ts";
import { modelOf } from "../vectors/models.ts";

const model = modelOf("spec/ledger");
if (model === undefined) throw new Error("the spec of the ledger has mistakes");
const access: Access = readAccess(JSON.stringify(newMockAccess(model)), "access.json");
const { accountId = "" } = access.samples ?? {};
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Chosen = Partial<Omit<MockOptions, "access">>;

async function started(
  options: Chosen = {},
  caller: Access | "everybody" = access,
  mocked = model,
): Promise<string> {
  if (mocked === undefined) throw new Error("no model");
  const server = createMock(mocked, {
    ...(caller === "everybody" ? {} : { access: caller }),
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 7,
    ...options,
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/jsonrpc`;
}

interface Sent {
  readonly method?: string;
  readonly payload?: string;
  readonly api?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly signed?: string;
}

async function call(
  url: string,
  sent: Sent = {},
): Promise<{ status: number; headers: Headers; json: unknown }> {
  const { method = "AccountService.GetAccount", payload = `{"ID":"${accountId}"}`, id = "1" } = sent;
  const signature = signatureText(Buffer.from(sent.signed ?? payload), access);
  const { keyId, apiKey } = access;
  const api = { credential: basicCredential(access), keyId, apiKey, signature, ...sent.api };
  const params = `{"api":${JSON.stringify(api)},"payload":${payload}}`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...sent.headers },
    body: `{"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${params}}`,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

const errorOf = (code: string) => ({ json: { id: "1", error: { code }, jsonrpc: "2.0" } });

describe("a mock of the signed envelope", () => {
  test("answers a signed call from the examples, with the identifiers that were sent", async () => {
    const { status, headers, json } = await call(await started());
    expect([status, headers.get("x-interface-revision")]).toEqual([200, model?.revision]);
    expect(json).toMatchObject({ id: "1", result: { account: { id: accountId } }, jsonrpc: "2.0" });
  });

  test("takes the bytes as they were sent, and the same value in RFC 8785 form", async () => {
    const url = await started();
    const spaced = `{ "ID" : "${accountId}" }`;
    expect((await call(url, { payload: spaced })).json).toHaveProperty("result");
    expect((await call(url, { payload: spaced, signed: `{"ID":"${accountId}"}` })).json).toHaveProperty(
      "result",
    );
  });

  test("checks who calls as the service does", async () => {
    const url = await started();
    const wrong = basicCredential({ ...access, apiKey: "another" });
    expect(await call(url, { api: { credential: wrong } })).toMatchObject(errorOf("BAD_CREDENTIAL"));
    expect(await call(url, { api: { apiKey: "another" } })).toMatchObject(errorOf("BAD_CREDENTIAL"));
    expect(await call(url, { api: { keyId: "another" } })).toMatchObject(errorOf("NOT_FOUND_USER_DEVICE"));
    expect(await call(url, { signed: "{}" })).toMatchObject(errorOf("INVALID_SIGNATURE"));
    expect(await call(url, { api: { signature: undefined } })).toMatchObject(errorOf("INVALID_SIGNATURE"));
  });

  test("asks a caller who has no key for the credential alone, and verifies what more is sent", async () => {
    const transport = { kind: "enveloped", auth: ["credential"], jsonrpc: true } as const;
    const methods = (model?.methods ?? []).map((method) => ({ ...method, transport }));
    const url = await started({}, access, model && { ...model, methods });
    const unsigned = { signature: undefined, keyId: undefined };
    expect((await call(url, { api: unsigned })).json).toHaveProperty("result");
    const wrong = basicCredential({ ...access, apiKey: "another" });
    expect(await call(url, { api: { ...unsigned, credential: wrong } })).toMatchObject(
      errorOf("BAD_CREDENTIAL"),
    );
    expect(await call(url, { signed: "{}" })).toMatchObject(errorOf("INVALID_SIGNATURE"));
    expect(await call(url, { api: { signature: undefined } })).toMatchObject(errorOf("INVALID_SIGNATURE"));
  });

  test("refuses what the contract refuses", async () => {
    const url = await started();
    for (const [payload, reason] of [
      [`{"ID":1}`, "type"],
      [`{}`, "missing"],
      [`{"ID":""}`, "missing"],
    ] as const) {
      const error = { code: "BAD_INPUT", data: { field: "/ID", reason } };
      expect(await call(url, { payload })).toMatchObject({ json: { error } });
    }
    const amount = `{"ID":"1","businessNameLegal":"N","monthlyProjection":{"amount":999999999999998.5,"currency":"USD"}}`;
    const api = { apiKey: access.apiKey };
    const tooLong = await call(url, { method: "CustomerService.UpdateCustomer", payload: amount, api });
    expect(tooLong).toMatchObject({
      json: { error: { code: "BAD_INPUT", data: { field: "/monthlyProjection/amount" } } },
    });
    expect(await call(url, { method: "AccountService.Nothing" })).toMatchObject(errorOf("UNAUTHORIZED"));
    expect(await call(url, { payload: `{"ID":"no such account"}` })).toMatchObject(
      errorOf("NOT_FOUND_ACCOUNT"),
    );
    const twice = `{"ID":"${accountId}","ID":"${accountId}"}`;
    expect(await call(url, { payload: twice })).toMatchObject({ status: 400, json: { id: null } });
    expect(await call(url, { payload: `${"[".repeat(40)}${"]".repeat(40)}` })).toMatchObject({ status: 400 });
  });

  test("with no access file takes every caller", async () => {
    const url = await started({}, "everybody");
    expect((await call(url, { signed: "{}", api: { credential: "x" } })).json).toHaveProperty("result");
  });
});

describe("what a mock meets its callers with", () => {
  test("an error that they ask for, or that is set for a method", async () => {
    const headers = { "mock-error": "NOT_FOUND_ACCOUNT" };
    expect(await call(await started(), { headers })).toMatchObject(errorOf("NOT_FOUND_ACCOUNT"));
    const errors = new Map([["AccountService.GetAccount", "NOT_FOUND_ACCOUNT"]]);
    expect(await call(await started({ errors }))).toMatchObject(errorOf("NOT_FOUND_ACCOUNT"));
    const unknown = await fetch(await started(), { method: "POST", headers: { "mock-error": "NOTHING" } });
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining("BAD_INPUT")]);
  });

  test("the faults of networks and proxies", async () => {
    const url = await started();
    const meets = (fault: string) => fetch(url, { method: "POST", headers: { "mock-fault": fault } });
    await expect(meets("drop")).rejects.toThrow();
    await expect(meets("cut").then((response) => response.text())).rejects.toThrow();
    expect(await (await meets("garbage")).text()).toContain("<html>");
    const busy = await meets("unavailable");
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await meets("flood")).status).toBe(400);
    const always = await started({ faults: new Map([["garbage", 1]]) });
    expect(await (await fetch(always, { method: "POST" })).text()).toContain("<html>");
    expect((await call(always, { headers: { "mock-fault": "none" } })).json).toHaveProperty("result");
  });

  test("answers that the seed decides: another call that creates gets another identifier", async () => {
    const payload = exampleOf("CustomerService.AddAccount");
    const added = async (url: string, id: string): Promise<unknown> =>
      (await call(url, { method: "CustomerService.AddAccount", payload, id })).json;
    const [first, second] = [await started(), await started()];
    expect(await added(first, "1")).toEqual(await added(second, "1"));
    const seeded = await started({ seed: 8 });
    expect(await added(first, "2")).not.toMatchObject({ result: Object(await added(first, "1")).result });
    expect(await added(seeded, "1")).not.toEqual(await added(first, "1"));
    const { ID } = Object(Object(await added(first, "3")).result);
    expect((await call(first, { payload: JSON.stringify({ ID }) })).json).toMatchObject({
      result: { account: { id: ID } },
    });
  });
});

function exampleOf(name: string): string {
  const example = model?.methods
    .find((each) => each.name === name)
    ?.examples.find(({ result }) => result !== undefined);
  const customerID = access.samples?.["businessCustomerId"];
  return JSON.stringify({ ...Object(example?.payload), customerID, name: "Another account" });
}
