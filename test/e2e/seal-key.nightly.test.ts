import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mailedOtp } from "../client/mailed-otp.ts";
import { rawCaller, type RawCall } from "./raw-caller.ts";
import { startServer, type RunningServer } from "./server.ts";
import { sealKeyText } from "../seal-key.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-seal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const killedAt = join(import.meta.dirname, "killed-at.ts");
/** Before what a rotation is killed: each run goes on where the one before it was killed. */
const stepsOfRotation = [
  "1 linkSync", // the new key gets its name
  "1 exec COMMIT", // it becomes the current one
  "2 exec COMMIT", // the first texts are sealed with it
  "5 exec COMMIT",
  "1 exec DELETE FROM seal_keys WHERE state = 'FORMER'",
  "1 linkSync", // the former key gets another name
  "1 renameSync", // the new one takes its place
];

describe("the service's own key", () => {
  test("that is missing beside sealed data is an error, and no new one is made", async () => {
    const dataDir = join(folder, "lost");
    await (await startServer(dataDir)).stop();
    const key = join(dataDir, "seal.key");
    renameSync(key, `${key}.kept`);
    for (const command of ["start", "rotate-seal-key"]) {
      const { code, err } = ledgerServer([command], dataDir);
      expect(err, command).toMatch(
        /seal\.key is missing, .*only key [0-9a-f]{16} opens\. No new key was made/,
      );
      expect(code, command).toBe(1);
      expect(existsSync(key), command).toBe(false);
    }
    renameSync(`${key}.kept`, key);
    await (await startServer(dataDir)).stop();
  });

  test("is refused where it is another one, is no key, or can be read by others", async () => {
    const dataDir = join(folder, "wrong");
    await (await startServer(dataDir)).stop();
    const key = join(dataDir, "seal.key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const other = { LEDGER_SEAL_KEY: sealKeyText };
    expect(ledgerServer(["serve"], dataDir, other).err).toMatch(
      /is sealed with key [0-9a-f]{16}; the key given is .* or to `restore` with --seal-key/,
    );
    chmodSync(key, 0o644);
    expect(ledgerServer(["serve"], dataDir).err).toMatch(/seal\.key can be read by others .*chmod 600/);
    chmodSync(key, 0o600);
    const target = join(folder, "wrong.sqlite");
    expect(ledgerServer(["backup", target, "--with-seal-key"], dataDir, other).err).toMatch(
      /is sealed with key [0-9a-f]{16}; the key at hand is .* Nothing was copied/,
    );
    expect(existsSync(target) || existsSync(`${target}.seal.key`)).toBe(false);
    rmSync(key);
    mkdirSync(key);
    expect(ledgerServer(["serve"], dataDir).err).toMatch(/seal\.key is no file/);
  });

  test("is rotated, however often that is killed, and everything opens afterwards", async () => {
    const dataDir = join(folder, "rotated");
    const first = await startServer(dataDir);
    const { referenceId } = first.access.samples;
    expect(ledgerServer(["rotate-seal-key"], dataDir).err).toMatch(/in use by another process/);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("seal."))).toEqual(["seal.key"]);
    await first.stop();
    const before = readFileSync(join(dataDir, "seal.key"), "utf8");
    for (const at of stepsOfRotation) {
      const child = spawn(process.execPath, ["--import", killedAt, "ledger/cli/main.ts", "rotate-seal-key"], {
        cwd: root,
        env: { ...process.env, LEDGER_DATA_DIR: dataDir, KILLED_AT: at },
        stdio: "ignore",
      });
      expect(await once(child, "exit"), at).toEqual([null, "SIGKILL"]);
    }
    const { code, out } = ledgerServer(["rotate-seal-key", "--json"], dataDir);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ keyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(readFileSync(join(dataDir, "seal.key"), "utf8")).not.toBe(before);
    // A key that was written before the kill and never got its name was never used.
    const isUnused = (name: string) => /^seal\.key\.new\.\d+\.part$/.test(name);
    const formers = readdirSync(dataDir).filter((name) => name.startsWith("seal.key.") && !isUnused(name));
    // Backups from before need them.
    expect(formers.map((name) => readFileSync(join(dataDir, name), "utf8"))).toContain(before);
    for (const name of formers) expect(name).toMatch(/^seal\.key\.former-[0-9a-f]{16}$/);
    const server = await startServer(dataDir);
    const call = rawCaller(server.access.baseUrl, server.access);
    const found = await call("TransactionService.GetTransactionsByRef", { ReferenceId: referenceId });
    expect(found.json.result.ReferenceId).toBe(referenceId);
    await server.stop();
  });

  test("that is configured is rotated to one in a file that is named", async () => {
    const dataDir = join(folder, "configured");
    const own = { LEDGER_SEAL_KEY: sealKeyText };
    await (await startServer(dataDir, own)).stop();
    expect(ledgerServer(["rotate-seal-key"], dataDir, own).err).toMatch(/--new-key-file/);
    const keyFile = join(folder, "next.key");
    const rotated = ledgerServer(["rotate-seal-key", "--new-key-file", keyFile], dataDir, own);
    expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining(`the content of ${keyFile}`) });
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(ledgerServer(["serve"], dataDir, own).code).toBe(1);
    const next = { LEDGER_SEAL_KEY: readFileSync(keyFile, "utf8").trim() };
    await (await startServer(dataDir, next)).stop();
  });
});

describe("after operations with personal data and secrets", () => {
  test("neither the files of the database nor the log hold any of it", async () => {
    const dataDir = join(folder, "bytes");
    const server = await startServer(dataDir);
    const secrets = await useEverything(server, dataDir);
    expect(secrets.length).toBeGreaterThan(12);
    const beside = findings(dataDir, secrets);
    await server.stop();
    expect(beside).toEqual([]);
    expect(findings(dataDir, secrets)).toEqual([]);
    expect(secrets.filter((secret) => server.printed().includes(secret))).toEqual([]);
  });
});

/** Calls what takes or gives personal data and secrets. Gives all of them. */
async function useEverything(server: RunningServer, dataDir: string): Promise<readonly string[]> {
  const { access } = server;
  const { businessCustomerId, shareHolderId, legalRepId, accountNumber } = access.samples;
  const call = succeeding(rawCaller(access.baseUrl, access));
  const operator = succeeding(rawCaller(access.operatorUrl, access.operator));
  const ssn = (digit: number): string => `90077${digit}123`;
  await operator("CreateCustomer", {
    type: "CONSUMER",
    name: "Ada",
    identification: [{ type: "SSN", value: ssn(1) }],
  });
  await operator("AddShareHolder", {
    customerId: businessCustomerId,
    name: "Grace",
    identification: { type: "SSN", value: ssn(2) },
    contact: { phoneNumber: "+14155550199", email: "g@example.com" },
    address: { country: "US", addressLine1: "1 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
    status: "ENABLED",
  });
  await call("CustomerService.UpdateShareHolder", {
    Id: shareHolderId,
    customerId: businessCustomerId,
    name: "Tomas",
    identification: { type: "SSN", value: ssn(3) },
    contact: { phoneNumber: "+14155550199", email: "t@example.com" },
    address: { country: "US", addressLine1: "1 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
  });
  await call("CustomerService.UpdateCustomer", {
    ID: businessCustomerId,
    businessNameLegal: "Northwind",
    identification: [{ type: "TIN", value: ssn(4) }],
  });
  const known = await call("TransactionService.GetTransactionsByRef", {
    ReferenceId: access.samples.referenceId,
  });
  const { Status: _status, TransactionId: _id, ...transaction } = known;
  await operator("RecordTransaction", {
    ...transaction,
    ReferenceId: "sealed-1",
    Status: "COMPLETED",
    CreditorAccount: {
      ...transaction.CreditorAccount,
      Party: { Name: "Ada", Identification: ssn(5), IdentificationType: "SSN" },
    },
  });
  const { OtpToken } = await operator("StartDeviceRegistration", { userName: access.userName });
  const otp = await mailedOtp(dataDir);
  await rawCaller(access.baseUrl, access)("KeyService.CompleteRegisterDevice", {
    UserName: access.userName,
    OtpToken,
    Otp: otp === "000000" ? "000001" : "000000",
  });
  const { apiKey } = await operator("IssueCredential", {
    userName: "new-user",
    email: "new@example.com",
    scopes: ["*"],
  });
  await call("CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId });
  const { contractClient } = await import("./contract-client.ts");
  const client = contractClient(access.baseUrl, access);
  const { subscriptionId } = await client.flat({
    name: "n",
    callbackUrl: "http://127.0.0.1:9/",
    events: ["Transaction.NEW"],
    groupId: [accountNumber],
  });
  client.close();
  const { secret } = await operator("GetSubscriptionSecret", { subscriptionId });
  const kept = String(secret).replace("whsec_", "");
  const found = [OtpToken, apiKey, access.apiKey, access.operator.apiKey, kept].map(String);
  const demo = ["900700001", "900232345", "900112233"];
  return [...[1, 2, 3, 4, 5].map(ssn), ...demo, ...found];
}

// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any shape
function succeeding(call: RawCall): (method: string, payload: object) => Promise<any> {
  return async (method, payload) => {
    const { json } = await call(method, payload);
    expect(json.error, method).toBeUndefined();
    return json.result;
  };
}

/** The secrets that the bytes of the database, its log and its other side files hold, with the file. */
function findings(dataDir: string, secrets: readonly string[]): readonly string[] {
  const names = readdirSync(dataDir).filter((name) => /^ledger\.sqlite(?!\.socket)/.test(name));
  expect(names).toContain("ledger.sqlite");
  return names.flatMap((name) => {
    const bytes = readFileSync(join(dataDir, name));
    return secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${name}: ${secret}`);
  });
}

function ledgerServer(args: readonly string[], dataDir: string, env: Record<string, string> = {}) {
  const run = spawnSync(process.execPath, ["ledger/cli/main.ts", ...args], {
    cwd: root,
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: dataDir, ...env },
    encoding: "utf8",
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
