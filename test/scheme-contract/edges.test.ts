import { createHash, createHmac, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiKey } from "../../runtime/auth/api-key/index.ts";
import { bearer } from "../../runtime/auth/bearer/index.ts";
import { clientCert } from "../../runtime/auth/client-cert/index.ts";
import { hmac } from "../../runtime/auth/hmac/index.ts";
import { messageSignature, type SignatureAlgorithm } from "../../runtime/auth/message-signature/index.ts";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import { startMs } from "./contract.ts";
import { pairsOf, secretPair, secrets } from "./keys.ts";
import { evidenceOf, plainRequest, withHeaders, type SentRequest } from "./requests.ts";
import { signedHeaders, type SigningOptions } from "./sign-message.ts";

const clock = { now: () => startMs };
const created = startMs / 1000;

function bound(verifier: SchemeVerifier<string, string>, options: object, perOwnerMax = 10) {
  const replays = createReplayRegister({ clock, perOwnerMax });
  const services = { scheme: "own", realm: "tasks", clock, replays };
  const scheme = verifier.bind({ kind: verifier.kind, ...options }, services);
  return async (request: SentRequest): Promise<string> => (await scheme.verify(evidenceOf(request))).kind;
}

describe("message-signature", () => {
  const p256 = pairsOf("P-256").ann;
  const rsa = pairsOf("rsa").ann;
  const secret = secretPair("ann");

  function harness(
    {
      algorithms,
      ...rules
    }: { readonly algorithms: readonly string[]; readonly covers?: readonly string[]; readonly tag?: string },
    pair = p256,
    algorithm?: SignatureAlgorithm,
  ) {
    const key = { key: pair.publicKey, caller: "ann", ...(algorithm === undefined ? {} : { algorithm }) };
    const send = bound(messageSignature({ key: () => key, origin: "https://api.example/" }), {
      algorithms,
      ...rules,
    });
    return (options: Partial<SigningOptions> = {}) => {
      const signing = {
        keyId: "ann",
        key: pair.privateKey,
        algorithm: algorithms[0] ?? "",
        created,
        ...options,
      };
      return send(withHeaders(plainRequest, signedHeaders(plainRequest, signing)));
    };
  }

  test("the key decides on the algorithm, and the message has to name that one or none", async () => {
    const send = harness({ algorithms: ["ecdsa-p256-sha256"] });
    expect(await send({ parameters: ';alg="ecdsa-p256-sha256"' })).toBe("identity");
    expect(await send({ parameters: ';alg="hmac-sha256"' })).toBe("malformed");
    expect(await send({ parameters: ";alg=token" })).toBe("malformed");
  });

  test("a public key is no secret, whatever the spec accepts", async () => {
    const key = secretPair("eve").privateKey;
    expect(await harness({ algorithms: ["hmac-sha256"] })({ key })).toBe("rejected");
    expect(await harness({ algorithms: ["ecdsa-p256-sha256"] }, secret)({ key: p256.privateKey })).toBe(
      "rejected",
    );
  });

  test("with both kinds of RSA signatures, the application says which one a key is for", async () => {
    const algorithms = ["rsa-pss-sha512", "rsa-v1_5-sha256"];
    expect(await harness({ algorithms }, rsa)()).toBe("rejected");
    expect(await harness({ algorithms }, rsa, "rsa-pss-sha512")()).toBe("identity");
    expect(await harness({ algorithms }, rsa, "rsa-v1_5-sha256")()).toBe("rejected");
  });

  test("expires and tag hold where they are given and asked for", async () => {
    const send = harness({ algorithms: ["ecdsa-p256-sha256"], tag: "tasks" });
    expect(await send({ parameters: ';tag="tasks"' })).toBe("identity");
    expect(await send({ parameters: ';tag="other"' })).toBe("malformed");
    expect(await send({ parameters: `;tag="tasks";expires=${created}` })).toBe("expired");
    expect(await send({ parameters: `;tag="tasks";expires=${created + 1}` })).toBe("identity");
  });

  test("covers the address that callers see", async () => {
    const covers = [
      "@method",
      "@path",
      "@query",
      "@target-uri",
      "@authority",
      "content-digest",
      "content-type",
    ];
    const send = harness({ algorithms: ["ecdsa-p256-sha256"], covers });
    expect(await send({ covers })).toBe("identity");
    expect(await send({ covers: covers.slice(0, 6) })).toBe("malformed");
  });

  test("the twin of an ECDSA signature is a repetition", async () => {
    const send = bound(messageSignature({ key: () => ({ key: p256.publicKey, caller: "ann" }) }), {
      algorithms: ["ecdsa-p256-sha256"],
    });
    const options = { keyId: "ann", key: p256.privateKey, algorithm: "ecdsa-p256-sha256", created };
    const headers = signedHeaders(plainRequest, options);
    expect(await send(withHeaders(plainRequest, headers))).toBe("identity");
    const signature = Buffer.from(headers["signature"]?.slice(6, -1) ?? "", "base64");
    const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    const twin = (order - BigInt(`0x${signature.toString("hex", 32)}`)).toString(16).padStart(64, "0");
    const text = Buffer.concat([signature.subarray(0, 32), Buffer.from(twin, "hex")]).toString("base64");
    expect(await send(withHeaders(plainRequest, { ...headers, signature: `sig1=:${text}:` }))).toBe(
      "replayed",
    );
  });

  test("an unknown hash in content-digest is no digest, and every known one has to hold", async () => {
    const send = bound(messageSignature({ key: () => ({ key: p256.publicKey, caller: "ann" }) }), {
      algorithms: ["ecdsa-p256-sha256"],
    });
    const sendDigest = (digest: string): Promise<string> => {
      const input = `("@method" "@path" "content-digest");created=${created};keyid="ann"`;
      const base = `"@method": POST\n"@path": /rpc\n"content-digest": ${digest}\n"@signature-params": ${input}`;
      const signature = sign("sha256", Buffer.from(base), {
        key: p256.privateKey,
        dsaEncoding: "ieee-p1363",
      });
      const headers = {
        "content-digest": digest,
        "signature-input": `s=${input}`,
        signature: `s=:${signature.toString("base64")}:`,
      };
      return send(withHeaders(plainRequest, headers));
    };
    const digestOf = (hash: string, text: string): string => createHash(hash).update(text).digest("base64");
    expect(await sendDigest(`md5=:${digestOf("md5", plainRequest.body)}:`)).toBe("malformed");
    const both = (text: string): string =>
      `sha-256=:${digestOf("sha256", plainRequest.body)}:, sha-512=:${digestOf("sha512", text)}:`;
    expect(await sendDigest(both("other"))).toBe("malformed");
    expect(await sendDigest(both(plainRequest.body))).toBe("identity");
  });

  test("what the spec asks for without an origin is refused at the start", () => {
    const verifier = messageSignature<string>({ key: () => undefined });
    const options = { algorithms: ["ed25519"], covers: ["@target-uri"] };
    expect(() => bound(verifier, options)).toThrow(/give the verifier the `origin`/);
    expect(() => bound(verifier, { algorithms: ["rsa"] })).toThrow(/with rsa/);
  });
});

describe("hmac", () => {
  const covers = ["timestamp", "body"];
  const signed = (at: number, secret: string | Buffer): SentRequest => {
    const mac = createHmac("sha256", secret).update(`${at}\n${plainRequest.body}`).digest("hex");
    return withHeaders(plainRequest, { "x-signature": `t=${at},k=ann,v1=${mac}` });
  };

  test("a secret of less than 16 bytes is refused, without saying it", async () => {
    const send = bound(hmac({ key: () => ({ secret: "hush-hush", caller: "ann" }) }), {
      header: "X-Signature",
      covers,
    });
    await expect(send(signed(created, "hush-hush"))).rejects.toThrow(/less than 16 bytes/);
    await expect(send(signed(created, "hush-hush"))).rejects.not.toThrow(/hush/);
  });

  test("a key that has used up what is remembered waits, rather than being forgotten", async () => {
    const verifier = hmac({ key: () => ({ secret: secrets.ann, caller: "ann" }) });
    const send = bound(verifier, { header: "X-Signature", covers }, 2);
    expect([await send(signed(created, secrets.ann)), await send(signed(created - 1, secrets.ann))]).toEqual([
      "identity",
      "identity",
    ]);
    expect(await send(signed(created - 2, secrets.ann))).toBe("exhausted");
  });

  test("a signature that is not verified takes no room in the register", async () => {
    const send = bound(
      hmac({ key: () => ({ secret: secrets.ann, caller: "ann" }) }),
      { header: "X-Signature", covers },
      1,
    );
    for (let at = 0; at < 5; at += 1) expect(await send(signed(created - at, secrets.eve))).toBe("rejected");
    expect(await send(signed(created, secrets.ann))).toBe("identity");
  });

  test("a spec that covers no body is refused at the start", () => {
    const verifier = hmac<string>({ key: () => undefined });
    expect(() => bound(verifier, { header: "X-Signature", covers: ["timestamp"] })).toThrow(
      /does not cover the body/,
    );
    expect(() => bound(verifier, { covers })).toThrow(/no `header`/);
  });
});

describe("client-cert", () => {
  const pem = (name: string): string =>
    readFileSync(join(import.meta.dirname, "certificates", `${name}.pem`), "utf8");
  const der = (name: string): string => pem(name).replaceAll(/-----[^-]+-----|\n/g, "");
  const verifier = clientCert({
    trustedProxies: ["10.0.0.0/8", "192.0.2.7", "fd00::/8"],
    issuers: [pem("ca")],
    caller: ({ subject }) => subject.replace("CN=", ""),
  });
  const send = bound(verifier, {});
  const from = (peerAddress: string, name = "ann"): Promise<string> =>
    send({ ...withHeaders(plainRequest, { "client-cert": `:${der(name)}:` }), peerAddress });

  test.each(["10.255.0.1", "::ffff:10.0.0.1", "192.0.2.7", "fd12::1", "fd12::1%eth0"])(
    "is taken from %s",
    async (address) => {
      expect(await from(address)).toBe("identity");
    },
  );

  test.each(["11.0.0.1", "192.0.2.8", "::ffff:11.0.0.1", "2001:db8::1", "::1", "", "proxy.example"])(
    "is refused from %s",
    async (address) => expect(await from(address)).toBe("rejected"),
  );

  test("is refused where there is no network, and of another issuer", async () => {
    const { peerAddress: _address, ...local } = withHeaders(plainRequest, {
      "client-cert": `:${der("ann")}:`,
    });
    expect(await send(local)).toBe("rejected");
    expect(await from("10.0.0.1", "eve")).toBe("rejected");
  });

  test.each([[[]], [["proxy.example"]], [["10.0.0.0/33"]], [["10.0.0.0/x"]], [["10.0.0.0/8/8"]]])(
    "proxies %o are refused at the start",
    (trustedProxies) => {
      expect(() => bound(clientCert({ trustedProxies, caller: () => "ann" }), {})).toThrow(/[pP]rox/);
    },
  );
});

test("what the application's own record has ended is expired, and gives the time and scopes before", async () => {
  const rights = {
    scopes: () => ["read"],
    expiresAtMs: (caller: string) => (caller === "old" ? startMs : startMs + 1),
  };
  const verifier = bearer({ caller: ({ token }) => token, ...rights });
  const services = { scheme: "own", realm: "tasks", clock, replays: createReplayRegister({ clock }) };
  const verify = (token: string): unknown =>
    verifier
      .bind({ kind: "bearer" }, services)
      .verify(evidenceOf(withHeaders(plainRequest, { authorization: `Bearer ${token}` })));
  expect(await verify("old")).toEqual({ kind: "expired" });
  const identity = { caller: "new", scopes: ["read"], expiresAtMs: startMs + 1 };
  expect(await verify("new")).toEqual({ kind: "identity", identity });
});

test("a key given as it is, instead of its hash, is refused at the start", () => {
  const verifier = apiKey({ keys: [{ sha256: "my-secret-key", caller: "ann" }] });
  expect(() => bound(verifier, { header: "X-Api-Key" })).toThrow(/give the hash, not the key/);
  expect(() => bound(verifier, { header: "X-Api-Key" })).not.toThrow(/my-secret-key/);
});
