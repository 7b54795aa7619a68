import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  checkMessageSignature,
  componentValue,
  readMessageSignature,
  signMessage,
  type MessageRules,
  type SignedMessage,
} from "../../runtime/auth/http-signatures.ts";
import type { ReplayRecord, ReplayVerdict } from "../../runtime/auth/replays.ts";
import { strictRules } from "../../runtime/auth/signed-envelope/signed-envelope.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const nowSeconds = 1_700_000_000;
const body = Buffer.from('{"id":"1"}');
const digest = digestOf(body);
const params = ';created=1700000000;expires=1700000060;nonce="n1";keyid="k1"';
const covered = `("@method" "@path" "content-digest")${params}`;

function digestOf(bytes: Buffer): string {
  return `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;
}

/** A message with these headers; one of a list is sent as often as the list has values. */
function messageOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  sent: Buffer = body,
): SignedMessage {
  const header = (name: string): readonly string[] => {
    const value = headers[name];
    return value === undefined ? [] : typeof value === "string" ? [value] : value;
  };
  return { body: sent, httpMethod: "POST", target: "/jsonrpc?x=1", header };
}

function signatureOf(base: string): string {
  return sign("sha256", Buffer.from(base), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64");
}

/** The base of `covered`, by the letter of the standard. */
const base = `"@method": POST\n"@path": /jsonrpc\n"content-digest": ${digest}\n"@signature-params": ${covered}`;

const signedHeaders = {
  host: "ledger.example",
  "content-digest": digest,
  "signature-input": `sig1=${covered}`,
  signature: `sig1=:${signatureOf(base)}:`,
};

function read(
  changes: Parameters<typeof messageOf>[0] = {},
  rules: MessageRules = strictRules,
  sent: Buffer = body,
) {
  return readMessageSignature(messageOf({ ...signedHeaders, ...changes }, sent), rules);
}

interface CheckOptions {
  readonly nowMs?: number;
  readonly rules?: MessageRules;
  readonly verdict?: ReplayVerdict;
}

const taking: ReplayVerdict = { kind: "taken" };

/** The verdict of a check, and what was taken for it. */
async function checked(
  signed: ReturnType<typeof read>,
  { nowMs = nowSeconds * 1000, rules = strictRules, verdict = taking }: CheckOptions = {},
) {
  if (typeof signed === "string") throw new Error(`the signature is ${signed}`);
  const taken: ReplayRecord[] = [];
  const replays = {
    take: async (record: ReplayRecord) => {
      taken.push(record);
      return verdict;
    },
  };
  const signer = { key: publicKey, owner: "key k1" };
  const fault = await checkMessageSignature(signed, signer, { rules, clock: { now: () => nowMs }, replays });
  return { fault, taken };
}

/** A signature of these parameters that is right otherwise. */
function signedWith(parameters: string, rules = strictRules) {
  const input = `("@method" "@path" "content-digest")${parameters}`;
  const text = base.replace(covered, input);
  return read({ "signature-input": `s=${input}`, signature: `s=:${signatureOf(text)}:` }, rules);
}

describe("reading a message signature (RFC 9421)", () => {
  test("the base is the standard's, and verifies", async () => {
    const signed = read();
    expect(signed).toMatchObject({ keyId: "k1", created: nowSeconds, expires: nowSeconds + 60, nonce: "n1" });
    expect(typeof signed === "string" ? signed : signed.base.toString()).toBe(base);
    expect((await checked(signed)).fault).toBeUndefined();
  });

  test("what we sign we read back, and it verifies", async () => {
    const headers = signMessage({ body, httpMethod: "POST", path: "/jsonrpc", keyId: "k1", privateKey });
    const signed = readMessageSignature(messageOf(Object.fromEntries(headers)), strictRules);
    expect(signed).toMatchObject({ keyId: "k1" });
    expect((await checked(signed, { nowMs: Date.now() })).fault).toBeUndefined();
  });

  test("says which components are covered", () => {
    const input = (components: string) => ({
      "signature-input": `sig1=(${components})${params}`,
      "idempotency-key": '"once"',
    });
    const covers = (components: string) => {
      const signed = read(input(components));
      return typeof signed !== "string" && signed.covered.has("idempotency-key");
    };
    expect(covers('"@method" "@path" "content-digest" "idempotency-key"')).toBe(true);
    expect(covers('"@method" "@path" "content-digest"')).toBe(false);
  });

  test("a message without both headers has none", () => {
    expect(read({ "signature-input": undefined, signature: undefined })).toBe("missing");
  });

  test.each<[string, Parameters<typeof messageOf>[0]]>([
    ["no Signature-Input", { "signature-input": undefined }],
    ["no Signature", { signature: undefined }],
    ["another label", { signature: `sig2=:${Buffer.alloc(64).toString("base64")}:` }],
    ["63 bytes", { signature: `sig1=:${Buffer.alloc(63).toString("base64")}:` }],
    ["no digest", { "content-digest": undefined }],
    ["a digest of another body", { "content-digest": digestOf(Buffer.from("{}")) }],
    ["an unknown digest only", { "content-digest": "md5=:AAAA:" }],
    ["a right digest and a wrong one", { "content-digest": [digest, "sha-512=:AAAA:"] }],
    ["method not covered", { "signature-input": `sig1=("@path" "content-digest")${params}` }],
    ["path not covered", { "signature-input": `sig1=("@method" "content-digest")${params}` }],
    ["digest not covered", { "signature-input": `sig1=("@method" "@path")${params}` }],
    [
      "a component twice",
      { "signature-input": `sig1=("@method" "@path" "@path" "content-digest")${params}` },
    ],
    [
      "a component of a part of a header",
      { "signature-input": `sig1=("@method" "@path" "content-digest" "host";bs)${params}` },
    ],
    ["no nonce", { "signature-input": `sig1=${covered.replace(';nonce="n1"', "")}` }],
    ["no expiry", { "signature-input": `sig1=${covered.replace(";expires=1700000060", "")}` }],
    ["an expiry of a fraction", { "signature-input": `sig1=${covered.replace("0060", "0060.5")}` }],
    ["a beginning of a fraction", { "signature-input": `sig1=${covered.replace("0000;", "0000.5;")}` }],
    ["another algorithm", { "signature-input": `sig1=${covered};alg="hmac-sha256"` }],
    ["an algorithm as a token", { "signature-input": `sig1=${covered};alg=ecdsa-p256-sha256` }],
    ["no structured field", { "signature-input": "sig1=(((" }],
    [
      "an input of more than 4,096 characters",
      { "signature-input": `sig1=${covered};x="${"y".repeat(4096)}"` },
    ],
  ])("%s is not enough", (_name, changes) => {
    expect(read(changes)).toBe("malformed");
  });

  test("another body than the digest's is not taken, also where the rules ask for no digest", () => {
    const other = Buffer.from('{"id":"2"}');
    expect(read({}, strictRules, other)).toBe("malformed");
    expect(read({}, { ...strictRules, covers: ["@method"] }, other)).toBe("malformed");
  });

  test.each([
    [1, true],
    [128, true],
    [129, false],
  ])("a nonce has 1 to 128 characters: of %d, %s", (length, isRead) => {
    const input = covered.replace('"n1"', `"${"n".repeat(length)}"`);
    expect(read({ "signature-input": `sig1=${input}` }) !== "malformed").toBe(isRead);
  });

  test("of several, the first that is as the rules ask, or the first by a key", () => {
    const bytes = `:${signatureOf(base)}:`;
    const input = (keyId: string) => covered.replace("k1", keyId);
    const message = messageOf({
      ...signedHeaders,
      "signature-input": [`a=();created=1;keyid="k0"`, `b=${input("k1")}, c=${input("k2")}`],
      signature: `a=${bytes}, b=${bytes}, c=${bytes}`,
    });
    expect(readMessageSignature(message, strictRules)).toMatchObject({ keyId: "k1" });
    expect(readMessageSignature(message, strictRules, "k2")).toMatchObject({ keyId: "k2" });
    expect(readMessageSignature(message, strictRules, "k3")).toBe("malformed");
  });
});

describe("components", () => {
  const headers = { "content-type": " application/json ", "Content-Type": "no", "x-two": [" a", "b "] };
  test.each([
    ["@method", "POST"],
    ["@request-target", "/jsonrpc?x=1"],
    ["@target-uri", "https://Bank.Example:8443/jsonrpc?x=1"],
    ["@scheme", "https"],
    ["@authority", "bank.example:8443"],
    ["@path", "/jsonrpc"],
    ["@query", "?x=1"],
    ["content-type", "application/json"],
    ["x-two", "a, b"],
    ["Content-Type", undefined],
    ["@unknown", undefined],
  ])("%s is %s", (name, value) => {
    const message = messageOf(headers);
    expect(componentValue(message, name, "https://Bank.Example:8443")).toBe(value);
    expect(componentValue({ ...message, target: "/jsonrpc" }, "@query")).toBe("?");
  });

  test.each([
    ["https://bank.example:443", "bank.example"],
    ["http://bank.example:80", "bank.example"],
    ["http://bank.example:443", "bank.example:443"],
  ])("the authority of %s is %s: the port of the scheme is left out", (origin, authority) => {
    expect(componentValue(messageOf({}), "@authority", origin)).toBe(authority);
  });

  test("without a known origin the authority is the one Host header, and there is no scheme", () => {
    const valueOf = (name: string, host: string | readonly string[]) =>
      componentValue(messageOf({ host }), name);
    expect(valueOf("@authority", "Bank.example")).toBe("bank.example");
    expect(valueOf("@authority", ["a.example", "b.example"])).toBeUndefined();
    expect(valueOf("@scheme", "bank.example")).toBeUndefined();
    expect(valueOf("@target-uri", "bank.example")).toBeUndefined();
  });

  test("of a target that is a whole address, only method and target are taken", () => {
    const message = { ...messageOf({}), target: "http://bank.example/jsonrpc" };
    expect(componentValue(message, "@request-target")).toBe("http://bank.example/jsonrpc");
    for (const name of ["@path", "@query", "@target-uri"])
      expect(componentValue(message, name, "http://bank.example")).toBeUndefined();
  });
});

describe("checking a message signature", () => {
  test.each<[string, { created?: number; expires?: number; nowMs?: number }, boolean]>([
    ["made now", {}, true],
    ["made 30 seconds ahead", { created: nowSeconds + 30, expires: nowSeconds + 90 }, true],
    ["made 31 seconds ahead", { created: nowSeconds + 31, expires: nowSeconds + 90 }, false],
    ["of 300 seconds", { expires: nowSeconds + 300 }, true],
    ["of 301 seconds", { expires: nowSeconds + 301 }, false],
    [
      "in its last millisecond",
      { created: nowSeconds - 60, expires: nowSeconds, nowMs: nowSeconds * 1_000 - 1 },
      true,
    ],
    ["that ends now", { created: nowSeconds - 60, expires: nowSeconds }, false],
    ["that ends before it begins", { created: nowSeconds + 20, expires: nowSeconds + 19 }, false],
    ["that ends as it begins", { created: nowSeconds + 20, expires: nowSeconds + 20 }, true],
  ])("%s: timely %#", async (_name, times, isTimely) => {
    const {
      created = nowSeconds,
      expires = nowSeconds + 60,
      nowMs,
    } = { nowMs: nowSeconds * 1_000, ...times };
    const signed = signedWith(`;created=${created};expires=${expires};nonce="n";keyid="k1"`);
    const { fault, taken } = await checked(signed, { nowMs });
    expect(fault).toEqual(isTimely ? undefined : { kind: "expired" });
    expect(taken).toHaveLength(isTimely ? 1 : 0);
  });

  test("keeps its nonce for its owner until the second after its end", async () => {
    const { taken } = await checked(read());
    expect(taken).toEqual([{ owner: "key k1", nonce: "n1", expiresAtMs: (nowSeconds + 61) * 1_000 }]);
  });

  test("without a nonce keeps what was signed, for as long as the rules accept it", async () => {
    const { parameters: _needed, ...rules } = { ...strictRules, aheadSeconds: 60, ageSeconds: 60 };
    const { fault, taken } = await checked(signedWith(`;created=${nowSeconds};keyid="k1"`, rules), { rules });
    expect(fault).toBeUndefined();
    expect(taken).toEqual([
      {
        owner: "key k1",
        nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAtMs: (nowSeconds + 61) * 1_000,
      },
    ]);
  });

  test("that is not the key's takes no nonce", async () => {
    const { fault, taken } = await checked(read({ signature: `sig1=:${signatureOf("other")}:` }));
    expect(fault).toEqual({ kind: "rejected", reason: "wrong signature" });
    expect(taken).toEqual([]);
  });

  test.each<[ReplayVerdict, object]>([
    [{ kind: "replayed" }, { kind: "replayed" }],
    [
      { kind: "full", retryAfterMs: 1_500 },
      { kind: "exhausted", retryAfterMs: 1_500 },
    ],
  ])("is refused where its nonce is %o", async (verdict, refusal) => {
    expect((await checked(read(), { verdict })).fault).toEqual(refusal);
  });
});
