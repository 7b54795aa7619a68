import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadSuite } from "../../conformance/index.ts";
import { buildSigned } from "../../conformance/request/build.ts";
import { curlOf } from "../../conformance/request/curl.ts";

const { suite, cases } = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
const identity = {
  userName: `o'neill "$x"`,
  apiKey: "b566324b4416f7ebc7aa9c57075d16a6",
  keyId: "key-1",
  privateKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
};
const lookup = (name: string): unknown =>
  new Map([
    ...Object.entries(identity),
    ["wrongApiKey", "b566324b4416f7ebc7aa9c57075d16a0"],
    ["path", "/jsonrpc"],
  ]).get(name) ?? `any-${name}`;
const requests = cases.flatMap((each) => {
  const method = suite.methods.find(({ name }) => name === each.method) ?? suite.methods[4];
  if (method === undefined) return [];
  const { path, revision } = suite;
  const wire = buildSigned(each.request, { path, revision, identity, lookup, id: "1", method });
  return [{ id: each.id, wire, curl: curlOf("http://service.example", wire, identity) }];
});

/** What the shell hands to curl: its arguments, one after the other, and its input. */
function handed(curl: string): string {
  const stub = `curl() { for each in "$@"; do printf '<%s>' "$each"; if [ "$each" = @- ]; then cat; fi; done; }`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    API_KEY: identity.apiKey,
    CREDENTIAL: `Basic ${Buffer.from(`${identity.userName}:${identity.apiKey}`).toString("base64")}`,
  };
  return execFileSync("sh", { input: Buffer.from(`${stub}\n${curl}`), env, encoding: "latin1" });
}

test("every request says the revision that the suite is of (D-46)", () => {
  expect(new Set(requests.map(({ wire }) => wire.headers["x-interface-revision"]))).toEqual(
    new Set([suite.revision]),
  );
});

describe("a request as a command to paste", () => {
  test("holds no credential, nor most of one, in whatever wrapping", () => {
    const stem = identity.apiKey.slice(0, -1);
    for (const { id, curl } of requests) {
      const words = curl.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? [];
      const decoded = words.map((word) => Buffer.from(word, "base64").toString("latin1"));
      expect(
        [curl, ...decoded].filter((text) => text.includes(stem)),
        id,
      ).toEqual([]);
    }
  });

  test("is what was sent, once the variables are set", () => {
    const tried =
      /^(?:AccountService\.GetAccount\/(?:authentication\/(?:credential|apiKey)|headers)|\(endpoint\)\/json)\//;
    for (const { id, wire, curl } of requests.filter((each) => tried.test(each.id))) {
      const printed = handed(curl);
      if (!wire.body.includes(0)) expect(printed, id).toContain(wire.body.toString("latin1"));
      for (const [name, value] of Object.entries(wire.headers))
        expect(printed, id).toContain(`<${name}: ${Buffer.from(value).toString("latin1")}>`);
    }
  });
});

describe("a request of a caller whose API key is short", () => {
  const short = { ...identity, userName: "demo", apiKey: "q" };
  const shortLookup = (name: string): unknown =>
    new Map([...Object.entries(short), ["wrongApiKey", "0"], ["path", "/jsonrpc"]]).get(name) ??
    `any-${name}`;

  test("holds neither the key nor the credential", () => {
    const secrets = [
      `"${short.apiKey}"`,
      Buffer.from(`${short.userName}:${short.apiKey}`).toString("base64"),
    ];
    for (const each of cases) {
      const method = suite.methods.find(({ name }) => name === each.method) ?? suite.methods[4];
      if (method === undefined) continue;
      const { path, revision } = suite;
      const options = { path, revision, identity: short, lookup: shortLookup, id: "1", method };
      const curl = curlOf("http://service.example", buildSigned(each.request, options), short);
      expect(
        secrets.filter((secret) => curl.includes(secret)),
        each.id,
      ).toEqual([]);
    }
  });
});
