import { execFileSync } from "node:child_process";
import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import { hmac } from "../../runtime/auth/hmac/index.ts";
import { jwt } from "../../runtime/auth/jwt/index.ts";
import { messageSignature } from "../../runtime/auth/message-signature/index.ts";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import type { SchemeDescriptor } from "../../runtime/contract/index.ts";
import { startMs } from "./contract.ts";
import { evidenceOf, plainRequest, withHeaders, type SentRequest } from "./requests.ts";

const folder = mkdtempSync(join(tmpdir(), "signatures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function openssl(...args: readonly string[]): Buffer {
  return execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
}

function signedBy(text: string, ...args: readonly string[]): Buffer {
  writeFileSync(join(folder, "text"), text);
  return openssl(...args, "text");
}

function newKey(name: string, ...options: readonly string[]): KeyObject {
  openssl("genpkey", ...options, "-out", `${name}.pem`);
  return createPublicKey(readFileSync(join(folder, `${name}.pem`)));
}

async function callerOf(
  verifier: SchemeVerifier<string, string>,
  declared: SchemeDescriptor,
  request: SentRequest,
  nowMs = startMs,
): Promise<string> {
  const clock = { now: () => nowMs };
  const replays = createReplayRegister({ clock });
  const verdict = await verifier
    .bind(declared, { scheme: "own", realm: "tasks", clock, replays })
    .verify(evidenceOf(request));
  return verdict.kind === "identity" ? verdict.identity.caller : verdict.kind;
}

describe("signatures by openssl", () => {
  test("hmac", async () => {
    const t = startMs / 1000;
    const text = `${t}\nPOST\n/rpc?tenant=7\n${plainRequest.body}`;
    const mac = signedBy(
      text,
      "dgst",
      "-sha256",
      "-mac",
      "HMAC",
      "-macopt",
      `hexkey:${"5a".repeat(32)}`,
      "-r",
    );
    const signature = `t=${t},k=ann,v1=${mac.toString("latin1").slice(0, 64)}`;
    const verifier = hmac({ key: () => ({ secret: Buffer.alloc(32, 0x5a), caller: "ann" }) });
    const declared = { kind: "hmac", header: "X-Sign", covers: ["timestamp", "method", "path", "body"] };
    expect(await callerOf(verifier, declared, withHeaders(plainRequest, { "x-sign": signature }))).toBe(
      "ann",
    );
  });

  test("jwt", async () => {
    const key = newKey("rsa", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048");
    const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const text = `${encoded({ alg: "RS256" })}.${encoded({ sub: "ann", exp: startMs / 1000 + 60 })}`;
    const signature = signedBy(text, "dgst", "-sha256", "-sign", "rsa.pem").toString("base64url");
    const verifier = jwt({ jwks: { keys: [await exportJWK(key)] }, caller: ({ sub }) => sub });
    const request = withHeaders(plainRequest, { authorization: `Bearer ${text}.${signature}` });
    expect(await callerOf(verifier, { kind: "jwt", algorithms: ["RS256"] }, request)).toBe("ann");
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["ed25519", ["-algorithm", "ed25519"], ["pkeyutl", "-sign", "-inkey", "message.pem", "-rawin", "-in"]],
    [
      "rsa-pss-sha512",
      ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
      [
        "dgst",
        "-sha512",
        "-sigopt",
        "rsa_padding_mode:pss",
        "-sigopt",
        "rsa_pss_saltlen:64",
        "-sign",
        "message.pem",
      ],
    ],
    [
      "rsa-v1_5-sha256",
      ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
      ["dgst", "-sha256", "-sign", "message.pem"],
    ],
  ])("message-signature %s", async (algorithm, keyOptions, signing) => {
    const key = newKey("message", ...keyOptions);
    const digest = signedBy(plainRequest.body, "dgst", "-sha256", "-binary").toString("base64");
    const input = `("@method" "@path" "content-digest");created=${startMs / 1000};keyid="ann"`;
    const base = `"@method": POST\n"@path": /rpc\n"content-digest": sha-256=:${digest}:\n"@signature-params": ${input}`;
    const request = withHeaders(plainRequest, {
      "content-digest": `sha-256=:${digest}:`,
      "signature-input": `sig=${input}`,
      signature: `sig=:${signedBy(base, ...signing).toString("base64")}:`,
    });
    const verifier = messageSignature({ key: (keyId) => ({ key, caller: keyId }) });
    expect(await callerOf(verifier, { kind: "message-signature", algorithms: [algorithm] }, request)).toBe(
      "ann",
    );
  });
});

/** RFC 9421, appendix B.2: the request, and signatures of its authors. */
describe("signatures of RFC 9421", () => {
  const request: SentRequest = {
    body: '{"hello": "world"}',
    httpMethod: "POST",
    target: "/foo?param=Value&Pet=dog",
    headers: [
      ["host", "example.com"],
      ["date", "Tue, 20 Apr 2021 02:07:55 GMT"],
      ["content-type", "application/json"],
      ["content-length", "18"],
    ],
  };
  const ed25519 = createPublicKey({
    key: Buffer.from("MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=", "base64"),
    format: "der",
    type: "spki",
  });
  const secret = createSecretKey(
    "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
    "base64",
  );

  test.each([
    [
      "B.2.5",
      "hmac-sha256",
      secret,
      ["date", "@authority", "content-type"],
      "test-shared-secret",
      "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=",
    ],
    [
      "B.2.6",
      "ed25519",
      ed25519,
      ["date", "@method", "@path", "@authority", "content-type", "content-length"],
      "test-key-ed25519",
      "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==",
    ],
  ])("%s, %s", async (_name, algorithm, key, covers, keyId, signature) => {
    const input = `(${covers.map((name) => `"${name}"`).join(" ")});created=1618884473;keyid="${keyId}"`;
    const signed = withHeaders(request, {
      "signature-input": `sig=${input}`,
      signature: `sig=:${signature}:`,
    });
    const verifier = messageSignature({ key: (named) => ({ key, caller: named }) });
    const declared = { kind: "message-signature", algorithms: [algorithm], covers };
    expect(await callerOf(verifier, declared, signed, 1_618_884_473_000)).toBe(keyId);
    const other = {
      ...signed,
      headers: signed.headers.map(([name, value]) => [name, value.replace("20 Apr", "21 Apr")] as const),
    };
    expect(await callerOf(verifier, declared, other, 1_618_884_473_000)).toBe("rejected");
  });
});
