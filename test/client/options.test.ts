import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import {
  type CallOptions,
  type ClientOptions,
  connect,
  guarded,
  LedgerClient,
} from "../../generated/ledger/client/index.ts";
import { connect as connectStandard } from "../../templates/client/json-rpc/connection.ts";
import { bearer } from "../../templates/client/json-rpc/credentials.ts";
import { connectSocket, type SocketOptions } from "../../templates/client/json-rpc/socket.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const folder = mkdtempSync(join(tmpdir(), "client-options-"));
afterAll(() => rmSync(folder, { recursive: true }));

let sent = 0;
const options: ClientOptions = {
  baseUrl: "https://bank.example",
  credential: { userName: "u", apiKey: "k" },
  signer: { keyId: "key", privateKey: pem },
  fetch: async () => {
    sent += 1;
    throw new TypeError("connection refused");
  },
  attemptsMax: 1,
};
const client = (more: Partial<ClientOptions>) => new LedgerClient({ ...options, ...more });

/** What is said of options that are refused. */
function refusal(more: Partial<ClientOptions>): string {
  try {
    client(more);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY });
  }
  throw new Error(`${inspect(more)} was taken`);
}

describe("options", () => {
  test("that cannot work are refused at construction", () => {
    for (const baseUrl of [
      "nowhere",
      "/api",
      "ftp://a.example",
      "https://a.example?x=1",
      "https://a.example#x",
      "https://a.example:99999",
      "https://a.example:port",
    ]) {
      expect(refusal({ baseUrl }), baseUrl).toContain("baseUrl");
    }
    expect(refusal({ credential: { userName: "a:b", apiKey: "k" } })).toContain("userName");
    const [bad, pad] = [{ "X-Own": "line\nbreak 4711" }, { "X Own": "a" }];
    for (const headers of [bad, pad]) expect(refusal({ headers })).toContain("headers");
    expect(refusal({ headers: bad })).not.toContain("4711");
    for (const baseUrl of ["http://127.0.0.1:8080", "https://a.example/bank/", "http://[::1]:1/"])
      client({ baseUrl });
  });

  test.each<readonly [string, unknown]>([
    ...[0, null, "", 5, {}].flatMap((value) => [["fetch", value] as const, ["authorize", value] as const]),
    ...[null, 5, "x", [], () => undefined].map((value) => ["hooks", value] as const),
    ["hooks", { before: 5 }],
    ["hooks", { after: "x" }],
    ...[null, [], "ab", 5].map((value) => ["headers", value] as const),
    ...[5, null, undefined].map((value) => ["headers", { "X-Own": value }] as const),
    ["messageSignatures", null],
    ["messageSignatures", () => 5],
    ["signal", 5],
    ["signer", { keyId: 5, privateKey: pem }],
    ["signer", { keyId: "k", sign: 5 }],
    ["credential", { userName: 5, apiKey: "k" }],
    ["credential", { userName: "u", apiKey: {} }],
  ])("are refused at construction where %s is %o", (name, value) => {
    refusal(Object.fromEntries([[name, value]]));
  });

  test.each<readonly [string, unknown]>([
    ...[null, 5].map((value) => ["fetch", value] as const),
    ["hooks", { before: 5 }],
    ["headers", { "X-Own": 5 }],
    ...[5, [], null, "x", { user: null }, { user: 5 }, { other: "x" }].map(
      (value) => ["auth", value] as const,
    ),
    ["url", undefined],
    ["url", "ftp://a.example"],
    ["open", 5],
    ["onOpen", 5],
  ])("of a client of a standard interface are refused where %s is %o", (name, value) => {
    const given: SocketOptions = Object.assign({ url: "https://a.example/rpc" }, { [name]: value });
    expect(() => connectStandard(given, { user: bearer })).toThrow(TypeError);
    expect(() => connectSocket(given, { user: bearer }, [])).toThrow(TypeError);
  });

  test.each([
    ["timeoutMs", "totalTimeoutMs"],
    ["attemptMax", "attemptsMax"],
    ["baseURL", "baseUrl"],
    ["hook", "hooks"],
    ["messageSignature", undefined],
    ["zzz", undefined],
  ])("of a name that there is none of are refused: %s", (name, meant) => {
    const said = refusal(Object.fromEntries([[name, "hunter2"]]));
    expect(said).toContain(
      meant === undefined ? `no option ${name}` : `no option ${name}: did you mean ${meant}?`,
    );
    expect(said).not.toContain("hunter2");
    const given: SocketOptions = Object.assign({ url: "https://a.example/rpc" }, { [name]: "hunter2" });
    expect(() => connectStandard(given, { user: bearer })).toThrow(`no option ${name}`);
    expect(() => connectSocket(given, { user: bearer }, [])).toThrow(`no option ${name}`);
  });

  test("that are absent are undefined", () => {
    client(Object.fromEntries(["fetch", "hooks", "headers", "attemptsMax"].map((name) => [name, undefined])));
    client({ hooks: { before: () => undefined }, headers: { "X-Own": "a" } });
    expect(
      connectStandard({ url: "https://a.example/rpc", auth: { user: "token" } }, { user: bearer }),
    ).toMatchObject({ url: "https://a.example/rpc" });
  });

  test.each([
    "attemptTimeoutMs",
    "totalTimeoutMs",
    "attemptsMax",
    "answerBytesMax",
    "backoffMs",
    "backoffMsMax",
  ])("refuse a %s that no timer and no count can be", (name) => {
    const limits = [-1, Number.NaN, 2 ** 31, 30 * 86_400_000, "5000", null];
    for (const value of name.startsWith("backoff") ? limits : [0, ...limits]) {
      expect(refusal({ [name]: value }), String(value)).toContain(name);
    }
    client({ [name]: Number.POSITIVE_INFINITY });
    client({ [name]: 2 ** 31 - 1 });
  });

  test("of one call are refused before anything is sent", async () => {
    sent = 0;
    const given: readonly CallOptions[] = [{ attemptTimeoutMs: 0 }, { headers: { "X-Own": "a\nb" } }];
    for (const one of given) {
      const { account, accounts } = client({});
      await expect(account.get({ ID: "1" }, one)).rejects.toThrow(TypeError);
      await expect(client({}).call("AccountService.GetAccount", { ID: "1" }, one)).rejects.toThrow(TypeError);
      await expect(client({}).raw("AccountService.GetAccount", { ID: "1" }, one)).rejects.toThrow(TypeError);
      await expect(accounts.all({}, one).next()).rejects.toThrow(TypeError);
    }
    expect(sent).toBe(0);
  });

  test("never have a password of theirs in a message", async () => {
    for (const baseUrl of [
      "https://u:hunter2@a.example",
      "https://u:hunter2@a.example:99999",
      "hunter2@a.example",
    ]) {
      expect(refusal({ baseUrl })).not.toContain("hunter2");
    }
    expect(() => connect({ ...guarded(options), baseUrl: "" })).toThrow("baseUrl is missing");
  });

  test("say which keys cannot sign", async () => {
    const keyId = "k";
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const other = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
    const text = (key: typeof rsa) => key.export({ type: "pkcs8", format: "pem" }).toString();
    const jwk = { kty: "EC", crv: "P-256", x: "", y: "" };
    for (const key of [
      text(rsa),
      text(other),
      { ...jwk, crv: "P-384", d: "AA" },
      jwk,
      pair.publicKey,
      "hunter2",
    ]) {
      const said = refusal({ signer: { keyId, privateKey: key } });
      expect(said).toContain("privateKey");
      expect(said).not.toMatch(/hunter2|PRIVATE/);
    }
    client({ signer: { keyId, privateKey: pair.privateKey } });
  });

  test("name the command that converts a SEC1 or an encrypted PEM, and the command does", () => {
    const encrypted = { cipher: "aes-256-cbc", passphrase: "hunter2" };
    const pems = [
      privateKey.export({ type: "sec1", format: "pem" }),
      privateKey.export({ type: "sec1", format: "pem", ...encrypted }),
      privateKey.export({ type: "pkcs8", format: "pem", ...encrypted }),
    ];
    for (const old of pems) {
      const said = refusal({ signer: { keyId: "k", privateKey: old.toString() } });
      const [, command = ""] = /(openssl [\w -]+ -in old\.pem -out new\.pem)/.exec(said) ?? [];
      writeFileSync(join(folder, "old.pem"), old);
      // Asked for at the terminal, which is absent here.
      const args = [...command.split(" ").slice(1), "-passin", "pass:hunter2"];
      execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
      const converted = readFileSync(join(folder, "new.pem"), "utf8");
      client({ signer: { keyId: "k", privateKey: converted } });
      expect(createPrivateKey(converted).equals(privateKey)).toBe(true);
    }
  });
});
