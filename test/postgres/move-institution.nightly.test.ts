import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { demoInstitutionId } from "../../ledger/seed/index.ts";
import { verifyStore } from "../../runtime/storage/index.ts";
import { contractClient } from "../e2e/contract-client.ts";
import { rawCaller, type RawAnswer } from "../e2e/raw-caller.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { emptyDatabase, type TestDatabase } from "./databases.ts";

/** Two processes over two databases. */
const dataDir = mkdtempSync(join(tmpdir(), "ledger-directory-"));
let first: TestDatabase;
let west: TestDatabase;
let environment: Record<string, string>;
let servers: readonly RunningServer[];

beforeAll(async () => {
  first = await emptyDatabase();
  west = await emptyDatabase();
  environment = { LEDGER_DATABASE_URL: first.url, LEDGER_DATABASE_OTHERS: `west=${west.url}` };
  const one = await startServer(dataDir, environment);
  servers = [one, await startServer(dataDir, environment)];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(dataDir, { recursive: true });
});

const call = (at: number, method: string, payload: object, id?: string): Promise<RawAnswer> => {
  const { access } = servers[at % servers.length] ?? {};
  if (access === undefined) throw new Error("no process serves");
  return rawCaller(access.baseUrl, access)(method, payload, id);
};
const addAccount = (at: number, name: string): Promise<RawAnswer> => {
  const customerID = servers[0]?.access.samples.consumerCustomerId;
  const payload = { customerID, name, accountType: "SAVINGS", currency: "USD" };
  return call(at, "CustomerService.AddAccount", payload, `add ${name}`);
};
const nameOf = async (at: number, ID: string): Promise<string> => {
  const { json, code } = await call(at, "AccountService.GetAccount", { ID });
  return json.result?.account.name ?? `${code} ${JSON.stringify(json)}`;
};

const commandOf = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ["ledger/cli/main.ts", ...args], {
    env: { ...process.env, ...environment, LEDGER_DATA_DIR: dataDir },
  });

async function moveTo(
  to: string,
): Promise<{ readonly rows: number; readonly pauseMs: number; readonly from: string }> {
  const { stdout } = await commandOf("move", "--institution", demoInstitutionId, "--to", to, "--json");
  return JSON.parse(stdout);
}

/** Adds accounts one after the other, each until it is acknowledged. */
function keepAdding(writer: number, acknowledged: Map<string, string>, over: AbortSignal) {
  const refused: RawAnswer[] = [];
  const run = async (): Promise<readonly RawAnswer[]> => {
    for (let index = 0; !over.aborted; index += 1) {
      const name = `Writer ${writer} ${index}`;
      let answer = await addAccount(writer + index, name);
      while (answer.code === "UNAVAILABLE" && !over.aborted) {
        refused.push(answer);
        answer = await addAccount(writer + index, name);
      }
      if (answer.code === undefined) acknowledged.set(answer.json.result.ID, name);
      else if (!over.aborted) throw new Error(JSON.stringify(answer.json));
    }
    return refused;
  };
  return run();
}

test("an institution moves there and back under load, and nothing acknowledged is lost", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { access } = servers[0] ?? {};
  if (access === undefined) throw new Error("no process serves");
  const client = contractClient(access.baseUrl, access);
  const { accountNumber } = access.samples;
  const made = await client.flat({
    name: "Treasury",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [accountNumber],
  });
  client.close();
  expect(made.error).toBeUndefined();
  const update = (at: number, status: string) =>
    call(at, "AccountService.UpdateAccountStatus", { accountNumber, status });
  expect((await update(0, "SUSPENDED")).code).toBeUndefined();

  const over = new AbortController();
  onTestFinished(() => over.abort());
  const acknowledged = new Map<string, string>();
  const writing = [0, 1, 2, 3].map((writer) => keepAdding(writer, acknowledged, over.signal));
  await expect.poll(() => acknowledged.size).toBeGreaterThan(10);
  for (const [from, to] of [
    ["first", "west"],
    ["west", "first"],
    ["first", "west"],
  ] as const) {
    const before = acknowledged.size;
    const moved = await moveTo(to);
    expect(moved).toMatchObject({ from });
    expect(moved.rows).toBeGreaterThan(5);
    expect(await update(1, to === "west" ? "ACTIVE" : "BLOCKED")).toMatchObject({ code: undefined });
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
  }
  over.abort();
  for (const { status, retryAfter } of (await Promise.all(writing)).flat()) {
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "1" });
  }
  const received = await receiver.until(4);
  const bySequence = new Map(received.map(({ json }) => [json.sequence, json.payload.status]));
  expect([...bySequence].toSorted(([one], [other]) => one - other)).toEqual([
    [1, "SUSPENDED"],
    [2, "ACTIVE"],
    [3, "BLOCKED"],
    [4, "ACTIVE"],
  ]);
  for (const at of [0, 1]) {
    // One after the other: all at once are more than a process takes.
    for (const [id, name] of acknowledged) expect(await nameOf(at, id)).toBe(name);
  }
  // A request from before all moves is answered as it was.
  const [id, name = ""] = [...acknowledged][0] ?? [];
  expect((await addAccount(0, name)).json.result.ID).toBe(id);
  for (const server of servers) expect(server.printed()).not.toContain("unexpectedly");
  for (const { url } of [first, west]) expect(await verifyStore(url, {})).toMatchObject({ isSound: true });
});

test("a new institution is put into a database by name, and user names are unique over all", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(dataDir, "operator.pem");
  writeFileSync(file, publicKey.export({ type: "spki", format: "pem" }));
  const add = (institution: string, userName: string, database: string) => {
    const bank = ["--institution", institution, "--institution-name", "West Bank", "--database", database];
    const user = ["--user", userName, "--email", "west@example.com", "--public-key", file];
    return commandOf("operator", ...bank, ...user);
  };
  const { stdout } = await add("091000019", "west-operator", "west");
  const printed = (name: string) => new RegExp(`${name}: +(\\S+)`).exec(stdout)?.[1] ?? "";
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const identity = {
    userName: "west-operator",
    apiKey: printed("apiKey"),
    keyId: printed("keyId"),
    privateKeyPem,
  };
  for (const { access } of servers) {
    const answer = await rawCaller(access.operatorUrl, identity)("ListCustomers", {});
    expect(answer).toMatchObject({ status: 200, code: undefined });
  }
  const found = "SELECT count(*) FROM users WHERE user_name = 'west-operator'";
  expect(await Promise.all([first, west].map((each) => each.execute(found)))).toEqual([[["0"]], [["1"]]]);
  await expect(add("091000020", "west-operator", "first")).rejects.toThrow(
    "There is a user west-operator already",
  );
  await expect(add("091000019", "another", "first")).rejects.toThrow("is in west already");
  await expect(add("091000021", "another", "east")).rejects.toThrow("LEDGER_DATABASE_OTHERS");
});

test("a process that knows one of the databases alone is refused, and says what to do", async () => {
  const alone = { LEDGER_DATABASE_URL: first.url, LEDGER_DATABASE_OTHERS: "" };
  await expect(startServer(dataDir, alone)).rejects.toThrow("LEDGER_DATABASE_OTHERS");
});
