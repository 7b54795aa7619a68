import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { verifyStore } from "../bank-stores.ts";
import { contractClient } from "../e2e/contract-client.ts";
import { rawCaller, type RawAnswer } from "../e2e/raw-caller.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

/** Two processes of the service over one database, whose server this file may kill. */
const dataDir = mkdtempSync(join(tmpdir(), "ledger-postgres-"));
let database: PostgresServer;
let url: string;
let servers: readonly [RunningServer, RunningServer];

beforeAll(async () => {
  database = await startPostgres({ fsync: true });
  await database.execute("CREATE DATABASE ledger");
  url = database.url("ledger");
  const environment = { LEDGER_DATABASE_URL: url };
  const first = await startServer(dataDir, environment);
  servers = [first, await startServer(dataDir, environment)];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.close();
  rmSync(dataDir, { recursive: true });
});

const callOf = ({ access }: RunningServer) => rawCaller(access.baseUrl, access);
const operatorCallOf = ({ access }: RunningServer) => rawCaller(access.operatorUrl, access.operator);
const addAccount = (server: RunningServer, name: string): Promise<RawAnswer> =>
  callOf(server)(
    "CustomerService.AddAccount",
    {
      customerID: server.access.samples.consumerCustomerId,
      name,
      accountType: "SAVINGS",
      currency: "USD",
    },
    `add ${name}`,
  );
/** Asks again as clients do, under the same id, where a transaction met others too often. */
async function settled(ask: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.code !== "UNAVAILABLE") return answer;
  }
}
const getAccount = (server: RunningServer, id: string): Promise<RawAnswer> =>
  callOf(server)("AccountService.GetAccount", { ID: id });

test("what one process answers the other one knows, and an answer is given once", async () => {
  const [first, second] = servers;
  const added = await addAccount(first, "Shared");
  expect(added).toMatchObject({ status: 200, code: undefined });
  const found = await getAccount(second, added.json.result.ID);
  expect(found.json.result.account).toMatchObject({
    name: "Shared",
    number: added.json.result.accountNumber,
  });
  const again = await addAccount(second, "Shared");
  expect(again.json.result).toEqual(added.json.result);
});

test("account numbers, ReferenceIds and answers are unique over both processes", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Unique ${index % 10}`);
  const answers = await Promise.all(
    names.map((name, index) => settled(() => addAccount(servers[index < 10 ? 0 : 1], name))),
  );
  expect(answers.map(({ code }) => code)).toEqual(names.map(() => undefined));
  const numbers = answers.map(({ json }) => String(json.result.accountNumber));
  expect(new Set(numbers).size).toBe(10);
  expect(numbers.slice(0, 10)).toEqual(numbers.slice(10));
});

test("an event of one process reaches its subscriber once, in order", async () => {
  const [first, second] = servers;
  const { access } = first;
  const receiver = await startReceiver();
  const client = contractClient(access.baseUrl, access);
  const made = await client.flat({
    name: "Treasury",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [access.samples.accountNumber],
  });
  client.close();
  expect(made.error).toBeUndefined();
  const states = ["SUSPENDED", "ACTIVE", "BLOCKED", "ACTIVE", "DORMANT", "ACTIVE"];
  for (const [index, status] of states.entries()) {
    const server = index % 2 === 0 ? second : first;
    const { accountNumber } = access.samples;
    const answer = await callOf(server)("AccountService.UpdateAccountStatus", { accountNumber, status });
    expect(answer.code).toBeUndefined();
  }
  const received = await receiver.until(states.length);
  const bySequence = received
    .map(({ json }) => json)
    .toSorted((left, right) => left.sequence - right.sequence);
  expect(bySequence.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(bySequence.map(({ payload }) => payload.status)).toEqual(states);
  await receiver.close();
});

test("a ReferenceId is taken once over both processes, whichever records it first", async () => {
  const { referenceId } = servers[0].access.samples;
  const lookup = { ReferenceId: referenceId };
  const known = await callOf(servers[0])("TransactionService.GetTransactionsByRef", lookup);
  const { Status: _status, TransactionId: _id, ...transaction } = known.json.result;
  const record = (server: RunningServer, ReferenceId: string): Promise<RawAnswer> =>
    settled(() => {
      const payload = { ...transaction, ReferenceId, Status: "COMPLETED" };
      return operatorCallOf(server)("RecordTransaction", payload, `record ${ReferenceId}`);
    });
  const references = Array.from({ length: 10 }, (_, index) => `both-${index}`);
  const pairs = await Promise.all(
    references.map((reference) => Promise.all(servers.map((server) => record(server, reference)))),
  );
  const ids = pairs.map((pair) => pair.map(({ code, json }) => code ?? String(json.result.TransactionId)));
  // The same transaction is one, whoever records it.
  expect(ids.filter(([one, other]) => one !== other)).toEqual([]);
  expect(new Set(ids.flat()).size).toBe(references.length);
});

test("an operator whom a command revokes is refused by the next call of every process", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(dataDir, "leaving.pub");
  writeFileSync(file, publicKey.export({ type: "spki", format: "pem" }));
  const run = async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, LEDGER_DATABASE_URL: url, LEDGER_DATA_DIR: dataDir };
    return (await promisify(execFile)(process.execPath, ["ledger/cli/main.ts", ...args], { env })).stdout;
  };
  const address = ["--email", "leaving@bank.example", "--public-key", file];
  const added = await run("operator", "add", "--institution", "091311229", "--user", "leaving", ...address);
  const access: { apiKey: string; keyId: string } = parse(added);
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const callers = servers.map((server) =>
    rawCaller(server.access.operatorUrl, { userName: "leaving", ...access, privateKeyPem }),
  );
  const codes = () =>
    Promise.all(callers.map(async (call) => (await call("ListCustomers", { pageSize: 1 })).code));
  expect(await codes()).toEqual([undefined, undefined]);
  const revoking = run("operator", "revoke", "leaving", "--yes");
  // Asked all the time: neither process may answer from what it knew.
  const asked = new AbortController();
  void revoking.finally(() => asked.abort());
  while (!asked.signal.aborted) await codes();
  await revoking;
  expect(await codes()).toEqual(["BAD_CREDENTIAL", "BAD_CREDENTIAL"]);
  expect(await run("operator", "list")).toMatch(/leaving +091311229/);
});

test("a credential or key that one process revokes the other one soon refuses, though it is asked all the time", async () => {
  const [first, second] = servers;
  const operator = operatorCallOf(first);
  const newCaller = async (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const issued = await operator("IssueCredential", { userName: name, email: `${name}@example.com` });
    const userName = String(issued.json.result.userName);
    const PublicKey = publicKey.export({ type: "spki", format: "pem" });
    const registered = await operator("RegisterKey", { userName, PublicKey });
    expect([issued.code, registered.code]).toEqual([undefined, undefined]);
    const keyId = String(registered.json.result.KeyId);
    const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const identity = { userName, apiKey: String(issued.json.result.apiKey), keyId, privateKeyPem };
    const caller = rawCaller(second.access.baseUrl, identity);
    return {
      userName,
      keyId,
      ask: async () => (await caller("AccountService.GetAccount", { ID: "none" })).code,
    };
  };
  const [credential, key] = await Promise.all(["short-lived", "lost-device"].map(newCaller));
  const answers = () => Promise.all([credential?.ask(), key?.ask()]);
  expect(await answers()).toEqual(["NOT_FOUND_ACCOUNT", "NOT_FOUND_ACCOUNT"]);
  const revoked = await Promise.all([
    operator("RevokeCredential", { userName: credential?.userName }),
    operator("RevokeKey", { KeyId: key?.keyId }),
  ]);
  expect(revoked.map(({ code }) => code)).toEqual([undefined, undefined]);
  await expect.poll(answers).toEqual(["BAD_CREDENTIAL", "NOT_FOUND_USER_DEVICE"]);
});

test("an operator is added by a command while both processes serve", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(dataDir, "added.pem");
  writeFileSync(file, publicKey.export({ type: "spki", format: "pem" }));
  const userName = "added-operator";
  const institution = ["--institution", "091000019", "--institution-name", "Added Bank"];
  const user = ["--user", userName, "--email", "added@example.com", "--public-key", file];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["ledger/cli/main.ts", "operator", ...institution, ...user],
    { env: { ...process.env, LEDGER_DATABASE_URL: url, LEDGER_DATA_DIR: dataDir } },
  );
  const printed = (name: string) => new RegExp(`${name}: +(\\S+)`).exec(stdout)?.[1] ?? "";
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const identity = { userName, apiKey: printed("apiKey"), keyId: printed("keyId"), privateKeyPem };
  for (const { access } of servers) {
    const answer = await rawCaller(access.operatorUrl, identity)("ListCustomers", {});
    expect(answer).toMatchObject({ status: 200, code: undefined });
  }
});

test("while the database is away calls are UNAVAILABLE, and nothing acknowledged is lost", async () => {
  const acknowledged = new Map<string, string>();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const write = async (server: RunningServer, writer: number): Promise<readonly RawAnswer[]> => {
    const refused: RawAnswer[] = [];
    for (let index = 0; !over.signal.aborted; index += 1) {
      const answer = await addAccount(server, `Kill ${writer} ${index}`);
      if (answer.code === undefined) acknowledged.set(answer.json.result.ID, `Kill ${writer} ${index}`);
      else refused.push(answer);
    }
    return refused;
  };
  const writing = [0, 1, 2, 3].map((writer) => write(servers[writer < 2 ? 0 : 1], writer));
  await expect.poll(() => acknowledged.size).toBeGreaterThan(20);
  await database.kill();
  for (const { access } of servers) {
    await expect.poll(async () => (await fetch(`${access.baseUrl}/readyz`)).status).toBe(503);
    // The first cause may be a commit that the loss interrupted.
    const readyz = async () => (await fetch(`${access.baseUrl}/readyz`)).text();
    await expect.poll(readyz).toContain("database server cannot be reached");
  }
  const gap = await getAccount(servers[0], "any");
  expect(gap).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
  const before = acknowledged.size;
  await database.start();
  for (const { access } of servers) {
    await expect.poll(async () => (await fetch(`${access.baseUrl}/readyz`)).status).toBe(200);
  }
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 20);
  over.abort();
  const refused = (await Promise.all(writing)).flat();
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, code, retryAfter } of refused) {
    expect({ status, code, retryAfter }).toEqual({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
  }
  // One after the other: all at once are more than a process takes, where many could be written meanwhile.
  for (const [id, name] of acknowledged)
    expect((await getAccount(servers[1], id)).json.result?.account.name).toBe(name);
  expect(await verifyStore(url, {})).toMatchObject({ isSound: true });
});
