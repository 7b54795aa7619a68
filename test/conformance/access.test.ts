import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAccess } from "../../conformance/index.ts";
import { openStandardAccess, readStandardAccess } from "../../conformance/request/standard-access.ts";

const folder = mkdtempSync(join(tmpdir(), "access-"));
const file = join(folder, "access.json");
const pem = (key: { export(options: { type: "pkcs8"; format: "pem" }): string | Buffer }) =>
  key.export({ type: "pkcs8", format: "pem" }).toString();
const right = pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
const complete = { userName: "demo", apiKey: "s3cret-key", keyId: "k", privateKeyPem: right };

beforeAll(() => {
  writeFileSync(join(folder, "key.pem"), right);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is said of a file; nothing where it is taken. */
function said(content: unknown): string {
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  try {
    openAccess(file);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message.replace(file, "FILE") : "";
  }
}

describe("an access file", () => {
  test("is taken with the least in it, and with its key in a file of its own", () => {
    expect(said(complete)).toBe("");
    const { privateKeyPem: _, ...rest } = complete;
    expect(said({ ...rest, privateKeyFile: "key.pem", samples: { accountId: "a" } })).toBe("");
    expect(openAccess(file).privateKeyPem).toBe(right);
  });

  test.each<[string, unknown, string]>([
    ["is no JSON", '{ "userName": "demo",\n  "apiKey": "s3cret" x }', "FILE is no JSON (line 2 column 22)"],
    ["is a list", [], "FILE: it has to be a JSON object with userName, apiKey, keyId and privateKeyPem"],
    ["lacks a member", { ...complete, keyId: undefined }, "FILE: keyId is missing"],
    ["has a number", { ...complete, apiKey: 7 }, "FILE: apiKey has to be a text"],
    ["is spelled wrong", { ...complete, base_url: "x" }, "FILE: base_url means nothing here: is it baseUrl"],
    ["names no address", { ...complete, baseUrl: "ledger" }, "baseUrl has to be an address such as"],
    ["has a user in an address", { ...complete, baseUrl: "http://a:b@c" }, "baseUrl has a user in it"],
    ["has a path for a key", { ...complete, privateKeyPem: "key.pem" }, "has to be a key in PEM form"],
    [
      "has the other half of the key",
      {
        ...complete,
        privateKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({
          type: "spki",
          format: "pem",
        }),
      },
      "has to be the private key; this is a public one",
    ],
    [
      "has a key of another kind",
      { ...complete, privateKeyPem: pem(generateKeyPairSync("ed25519").privateKey) },
      "is of ed25519; it has to be of P-256",
    ],
    [
      "has a key of another curve",
      { ...complete, privateKeyPem: pem(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey) },
      "is of the curve secp384r1; it has to be of P-256",
    ],
    ["has half a key", { ...complete, privateKeyPem: right.slice(0, 90) }, "cannot be read as a private key"],
    ["has two keys", { ...complete, privateKeyFile: "key.pem" }, "are both there: give one"],
    ["has a sample that is none", { ...complete, samples: { accountId: [] } }, "samples.accountId has to be"],
    ["has half an operator", { ...complete, operator: { userName: "o" } }, "operator.apiKey is missing"],
    ["has no operator", { ...complete, operator: 1 }, "operator has to be an object"],
  ])("that %s is told so", (_, content, message) => {
    const text = said(content);
    expect(text).toContain(message);
    expect(text).not.toMatch(/s3cret|BEGIN PRIVATE|MIG/);
  });

  test("that is not there is told so", () => {
    expect(() => openAccess(join(folder, "none.json"))).toThrow("there is no access file");
  });

  const http = { status: "ok", notified: 204 } as const;
  const standard = { protocol: "json-rpc-2.0", ...http, batch: false } as const;
  const asked = { user: "jwt", machine: "basic", own: "x-ticket" };
  const schemes = Object.entries(asked).map(([name, kind]) => ({ name, kind, options: {} }));

  test.each([
    [schemes, "credentials.machine (user, password) and credentials.own (headers or module)"],
    [[], "with baseUrl; no credentials are asked for"],
  ])("of a standard interface says what that one takes, there or not", (schemes, words) => {
    const entry = { ...standard, schemes };
    expect(() => openStandardAccess(join(folder, "none.json"), entry)).toThrow(words);
    expect(() => readStandardAccess('{"userName":"ann"}', "a.json", entry)).toThrow(words);
  });
});
