import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { ConfigError, loadConfig as load, settingsOf } from "../../runtime/config/index.ts";
import { compose } from "../../runtime/server/compose.ts";
import { loadConfig } from "../../runtime/server/config.ts";
import { interfaces, type InterfaceRow } from "../../runtime/server/interfaces.ts";
import { bearerTokens } from "../auth-contract/bearer.ts";

const [, operator] = interfaces;
if (operator === undefined) throw new Error("the table has no second row");
const token = "an-internal-token";

/** The row of a third interface: the operator's operations for a back office, which has tokens. */
const branch: InterfaceRow = {
  ...operator,
  descriptor: { ...operator.descriptor, name: "branch", path: "/branch" },
  auth: bearerTokens([
    { token, userName: "desk", institutionId: "091000019", scopes: ["ListAudit", "CreateCategory"] },
  ]),
};
const named = [...interfaces, branch].map(({ descriptor, isPublic = false }) => ({
  name: descriptor.name,
  isPublic,
}));

const folder = mkdtempSync(join(tmpdir(), "interfaces-"));
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

test("a row of the table adds an interface: pipeline, listener, realm, settings and scheme", async () => {
  const free = { PORT: "0", OPERATOR_PORT: "0", BRANCH_PORT: "0", LEDGER_DATA_DIR: folder };
  const config = load(free, named);
  expect(config.endpoints.get("branch")).toEqual({ host: "127.0.0.1", port: 0 });
  const service = await compose({
    config,
    logger: pino({ level: "silent" }),
    migrate: true,
    interfaces: [...interfaces, branch],
  });
  const listening = await service.listen();
  opened.push(() => listening.close());
  expect([...listening.urls.keys()]).toEqual(["ledger", "operator", "branch"]);
  await service.store.transact((tx) => tx.institutions.insert({ id: "091000019", name: "Bank" }));

  const call = async (authorization: string, method: string, payload: object): Promise<unknown> => {
    const response = await fetch(`${listening.urls.get("branch")}/branch`, {
      method: "POST",
      headers: { "Content-Type": "application/json", authorization },
      body: JSON.stringify({ id: "1", method, params: { api: {}, payload } }),
    });
    return response.json();
  };
  const category = { name: "Checking", description: "Everyday account" };
  expect(await call(`Bearer ${token}`, "CreateCategory", category)).toHaveProperty("result.categoryId");
  expect(await call("Bearer wrong", "CreateCategory", category)).toHaveProperty(
    "error.code",
    "BAD_CREDENTIAL",
  );
  expect(await call(`Bearer ${token}`, "CreateSource", {})).toHaveProperty("error.code", "UNAUTHORIZED");
  expect((await fetch(`${listening.urls.get("branch")}/healthz`)).status).toBe(200);
});

test("settings are named after the interfaces, and the names of before are still taken", () => {
  const settings = settingsOf(named);
  const variables = settings.filter(({ path }) => /^(?:ledger|operator|branch)\./.test(path));
  expect(variables.map(({ path, env }) => `${path} ${env}`)).toEqual([
    "ledger.host LEDGER_HOST",
    "ledger.port PORT",
    "operator.host OPERATOR_HOST",
    "operator.port OPERATOR_PORT",
    "branch.host BRANCH_HOST",
    "branch.port BRANCH_PORT",
  ]);
  expect(load({}, named).endpoints.get("branch")).toEqual({ host: "127.0.0.1", port: 8082 });
  const file = join(mkdtempSync(join(tmpdir(), "settings-")), "ledger-server.yaml");
  writeFileSync(file, "http:\n  host: 127.0.0.2\n  port: 9123\n");
  expect(loadConfig({ LEDGER_CONFIG: file }).endpoints.get("ledger")).toEqual({
    host: "127.0.0.2",
    port: 9123,
  });
  writeFileSync(file, "ledger:\n  port: 9124\n");
  expect(loadConfig({ LEDGER_CONFIG: file }).endpoints.get("ledger")?.port).toBe(9124);
  expect(() => load({ BRANCH_HOST: "0.0.0.0" }, named)).toThrow(ConfigError);
});
