import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { rawCaller } from "./raw-caller.ts";
import { startServer, type RunningServer } from "./server.ts";

/** Commands that manage operators and service keys, beside a service over SQLite. */
const folder = mkdtempSync(join(tmpdir(), "ledger-operators-"));
let server: RunningServer;

beforeAll(async () => {
  server = await startServer(folder);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) => ledgerServerBeside(args, folder);

function newKey(name: string): { readonly file: string; readonly privateKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(folder, `${name}.pub`);
  writeFileSync(file, publicKey.export({ type: "spki", format: "pem" }));
  return { file, privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** Adds an operator by command, and a call in the operator's name, which tells its code. */
async function newOperator(userName: string) {
  const { file, privateKeyPem } = newKey(userName);
  const address = ["--email", `${userName}@bank.example`, "--public-key", file];
  const added = await run("operator", "--institution", "091311229", "--user", userName, ...address);
  expect(added).toMatchObject({ code: 0 });
  const access: { apiKey: string; keyId: string } = parse(added.out);
  return { ask: asking(userName, { ...access, privateKeyPem }), ...access, privateKeyPem };
}

function asking(userName: string, identity: { apiKey: string; keyId: string; privateKeyPem: string }) {
  const call = rawCaller(server.access.operatorUrl, { userName, ...identity });
  return async () => (await call("ListCustomers", { pageSize: 1 })).code;
}

test("an operator is revoked while the service runs, and refused from the next call on", async () => {
  const { ask } = await newOperator("leaving");
  expect(await ask()).toBeUndefined();
  expect(await run("operator", "revoke", "leaving", "--yes")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^apiKeysRevoked: +1\nkeysRevoked: +1$/m),
  });
  expect(await ask()).toBe("BAD_CREDENTIAL");
  const { operators } = JSON.parse((await run("operator", "list", "--json")).out);
  expect(
    operators.map(({ userName, validApiKeys, activeKeys }: Record<string, unknown>) => [
      userName,
      validApiKeys,
      activeKeys,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["leaving", 0, 0],
      ["operator", 1, 1],
    ]),
  );
  expect((await run("operator", "list", "--institution", "091311229")).out).toContain("leaving@bank.example");
});

test("an operator's keys are rotated while the service runs, and the former ones end with it", async () => {
  const { ask, keyId, privateKeyPem } = await newOperator("careful");
  const rotated = await run("operator", "rotate", "careful");
  const access: { apiKey: string } = parse(rotated.out);
  expect(await ask()).toBe("BAD_CREDENTIAL");
  const asks = asking("careful", { ...access, keyId, privateKeyPem });
  expect(await asks()).toBeUndefined();
  const { file, privateKeyPem: newPem } = newKey("careful-2");
  const again = await run("operator", "rotate", "careful", "--public-key", file, "--overlap-seconds", "60");
  const second: { apiKey: string; keyId: string } = parse(again.out);
  // The former API key overlaps, and what its key signs is refused.
  expect(await asks()).toBe("NOT_FOUND_USER_DEVICE");
  expect(
    await asking("careful", { apiKey: access.apiKey, keyId: second.keyId, privateKeyPem: newPem })(),
  ).toBeUndefined();
  expect(await asking("careful", { ...second, privateKeyPem: newPem })()).toBeUndefined();
});

test("who is no operator, and what is no overlap, is refused in words", async () => {
  expect(await run("operator", "rotate", "northwind-erp")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no operator northwind-erp. `ledger-server operator list` shows"),
  });
  expect(await run("operator", "rotate", "operator", "--overlap-seconds", "1h")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--overlap-seconds 1h is no number from 0 to 604800"),
  });
  expect(await run("operator", "revoke", "operator")).toMatchObject({ code: 2 });
});

test("no operator gets a name of another institution's users", async () => {
  const { file } = newKey("named");
  const add = (institution: string, userName: string, ...more: readonly string[]) => {
    const address = ["--email", "named@bank.example", "--public-key", file];
    return run("operator", "add", "--institution", institution, "--user", userName, ...address, ...more);
  };
  const named = ["--institution-name", "Other Bank"];
  expect(await add("091000020", "091311229.boss", ...named)).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      "User names that begin with '091311229.' are those of another institution: choose another name.",
    ),
  });
  expect(await add("091000020", "091000020.boss", ...named)).toMatchObject({ code: 0 });
  expect(await add("091311229", "091000020.boss2")).toMatchObject({ code: 1 });
  expect(await add("091311229", "0910000200.boss")).toMatchObject({ code: 0 });
});

test("service keys are rotated while the service runs, and every institution's audit log has it", async () => {
  const keySet = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${server.access.baseUrl}/.well-known/jwks.json`);
    const { keys } = JSON.parse(await answer.text());
    return keys.map(({ kid }: { kid: string }) => kid);
  };
  const before = await keySet();
  const rotated = await run("service-keys", "rotate", "--algorithm", "ES256");
  expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^ES256: +\S+\nsignsFrom: +\S+Z$/m) });
  const { ES256: created } = parse(rotated.out);
  await expect.poll(keySet).toEqual([...before, created]);
  const operator = rawCaller(server.access.operatorUrl, server.access.operator);
  const { json } = await operator("ListAudit", { subject: "service-key", subjectId: created });
  expect(json.result.entries).toMatchObject([
    { operation: "ledger-server service-keys rotate", actor: "system" },
  ]);
  const unknown = await operator("RotateServiceKeys", {});
  expect(unknown.code).toBe("UNAUTHORIZED");
});
