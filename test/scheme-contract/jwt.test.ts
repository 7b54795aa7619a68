import { createHmac, type KeyObject } from "node:crypto";
import { base64url, exportJWK, exportSPKI, SignJWT, type JSONWebKeySet } from "jose";
import { describe, expect, test } from "vitest";
import { jwt, type JwtOptions } from "../../runtime/auth/jwt/index.ts";
import type { Verdict } from "../../runtime/auth/port.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import { startMs } from "./contract.ts";
import { pairsOf, secrets } from "./keys.ts";
import { evidenceOf, plainRequest, withHeaders } from "./requests.ts";

const { ann, bob, eve } = pairsOf("P-256");
const startSeconds = startMs / 1000;
const claims = {
  sub: "ann",
  iss: "https://id.example",
  aud: "tasks",
  iat: startSeconds,
  exp: startSeconds + 300,
};
const declared = { algorithms: ["ES256"], issuer: "https://id.example", audience: ["tasks", "more"] };

async function keySet(...keys: readonly KeyObject[]): Promise<JSONWebKeySet> {
  return {
    keys: await Promise.all(keys.map(async (key, at) => ({ ...(await exportJWK(key)), kid: `${at}` }))),
  };
}

type Options = Partial<JwtOptions<string>>;

function verifierOf(options: Options, spec: object, clock = { now: () => startMs }) {
  const caller = ({ sub }: { readonly sub?: string }) => sub;
  const bound = jwt<string>({ caller, jwks: { keys: [] }, ...options }).bind(
    { kind: "jwt", ...spec },
    { scheme: "user", realm: "tasks", clock, replays: createReplayRegister({ clock }) },
  );
  return async (token: string): Promise<Verdict<string>> =>
    bound.verify(evidenceOf(withHeaders(plainRequest, { authorization: `Bearer ${token}` })));
}

function signed(
  payload: object,
  header: object = {},
  key: KeyObject | Uint8Array = ann.privateKey,
): Promise<string> {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: "ES256", kid: "0", ...header }).sign(key);
}

/** A token made by hand, for what no library makes. */
function forged(header: object, payload: object, sign: (text: string) => string): string {
  const text = [header, payload].map((part) => base64url.encode(JSON.stringify(part))).join(".");
  return `${text}.${sign(text)}`;
}

const hs256 = (secret: string | Buffer) => (text: string) =>
  createHmac("sha256", secret).update(text).digest("base64url");

describe("a token", () => {
  const wrong: readonly (readonly [string, object, string])[] = [
    ["of another issuer", { iss: "https://id.example.evil" }, "rejected"],
    ["without issuer", { iss: undefined }, "rejected"],
    ["for another audience", { aud: ["other"] }, "rejected"],
    ["without audience", { aud: undefined }, "rejected"],
    ["without end", { exp: undefined }, "rejected"],
    ["whose end is no number", { exp: "tomorrow" }, "rejected"],
    ["that has ended", { exp: startSeconds - 31 }, "expired"],
    ["that is not valid yet", { nbf: startSeconds + 31 }, "rejected"],
    ["of no caller", { sub: undefined }, "rejected"],
  ];
  test.each(wrong)("%s is refused", async (_name, change, kind) => {
    const verify = verifierOf({ jwks: await keySet(ann.publicKey) }, declared);
    expect((await verify(await signed(claims))).kind).toBe("identity");
    expect((await verify(await signed({ ...claims, ...change }))).kind).toBe(kind);
  });

  test("has the leeway of the spec", async () => {
    const jwks = await keySet(ann.publicKey);
    const late = await signed({ ...claims, exp: startSeconds - 29, nbf: startSeconds + 29 });
    expect((await verifierOf({ jwks }, declared)(late)).kind).toBe("identity");
    const ended = await signed({ ...claims, exp: startSeconds - 1 });
    expect((await verifierOf({ jwks }, { ...declared, leeway: 0 })(ended)).kind).toBe("expired");
  });

  test("has the type and the further claims that the spec asks for", async () => {
    const jwks = await keySet(ann.publicKey);
    const verify = verifierOf({ jwks }, { ...declared, type: "at+jwt", claims: ["client_id"] });
    const whole = { ...claims, client_id: "1" };
    expect((await verify(await signed(whole, { typ: "at+jwt" }))).kind).toBe("identity");
    expect((await verify(await signed(whole, { typ: "JWT" }))).kind).toBe("rejected");
    expect((await verify(await signed(claims, { typ: "at+jwt" }))).kind).toBe("rejected");
  });

  test("grants its scopes, and ends when it says", async () => {
    const jwks = await keySet(ann.publicKey);
    const of = async (more: object): Promise<unknown> =>
      verifierOf({ jwks }, declared)(await signed({ ...claims, ...more }));
    const expiresAtMs = (claims.exp + 30) * 1000;
    const identity = (...scopes: readonly string[]) => ({
      kind: "identity",
      identity: { caller: "ann", scopes, expiresAtMs },
    });
    expect(await of({})).toEqual(identity());
    expect(await of({ scope: "tasks:read  tasks:write" })).toEqual(identity("tasks:read", "tasks:write"));
    expect(await of({ scp: ["tasks:read", 7] })).toEqual(identity("tasks:read"));
    expect(await of({ scope: "tasks:read", scp: ["tasks:write"] })).toEqual(identity("tasks:read"));
    expect(await of({ scope: { admin: true } })).toEqual(identity());
  });
});

describe("algorithm confusion", () => {
  test.each(["none", "None", "NONE", ""])("a token signed with %o is refused", async (alg) => {
    const verify = verifierOf({ jwks: await keySet(ann.publicKey) }, declared);
    const unsigned = forged({ alg, kid: "0" }, claims, () => "");
    expect(["rejected", "malformed"]).toContain((await verify(unsigned)).kind);
  });

  test("a token signed with the public key as if it were a secret is refused", async () => {
    const jwks = await keySet(ann.publicKey);
    const verify = verifierOf({ jwks }, declared);
    const spki = await exportSPKI(ann.publicKey);
    const asSecrets = [spki, spki.trim(), JSON.stringify(jwks.keys[0]), String(jwks.keys[0]?.x)];
    for (const secret of asSecrets) {
      const token = forged({ alg: "HS256", kid: "0" }, claims, hs256(secret));
      expect((await verify(token)).kind).toBe("rejected");
    }
  });

  test("another algorithm is refused that the same key could be used with", async () => {
    const secret = secrets.ann;
    const hs384 = await signed(claims, { alg: "HS384" }, secret);
    expect((await verifierOf({ secret }, { algorithms: ["HS384"] })(hs384)).kind).toBe("identity");
    expect((await verifierOf({ secret }, { algorithms: ["HS256"] })(hs384)).kind).toBe("rejected");
    const rsa = pairsOf("rsa").ann;
    const rs256 = await signed(claims, { alg: "RS256" }, rsa.privateKey);
    const jwks = await keySet(rsa.publicKey);
    expect((await verifierOf({ jwks }, { algorithms: ["RS256"] })(rs256)).kind).toBe("identity");
    expect((await verifierOf({ jwks }, { algorithms: ["PS256"] })(rs256)).kind).toBe("rejected");
  });

  test("a key that the token brings along is not used", async () => {
    const verify = verifierOf({ jwks: await keySet(ann.publicKey) }, declared);
    const jwk = await exportJWK(eve.publicKey);
    const brought = [
      { jwk },
      { jku: "https://evil.example/keys" },
      { x5u: "https://evil.example/cert" },
      { kid: "../../dev/null" },
    ];
    for (const header of brought) {
      expect((await verify(await signed(claims, header, eve.privateKey))).kind).toBe("rejected");
    }
  });

  test("an extension that has to be understood is refused", async () => {
    const verify = verifierOf({ jwks: await keySet(ann.publicKey) }, declared);
    const header = { alg: "ES256", kid: "0", crit: ["b64"], b64: false };
    const token = forged(header, claims, () => "A".repeat(86));
    expect(["rejected", "malformed"]).toContain((await verify(token)).kind);
  });
});

describe("at the start", () => {
  const start = (options: Options, spec: object) => () => verifierOf(options, spec);
  test.each<[string, Options, object, RegExp]>([
    ["no algorithms", {}, { algorithms: [] }, /no `algorithms`/],
    ["none", {}, { algorithms: ["none"] }, /with none/],
    ["secret and public key", {}, { algorithms: ["HS256"] }, /needs `secret`, not `jwks`/],
    ["public key and secret", { secret: secrets.ann }, { algorithms: ["ES256"] }, /needs `jwks`/],
    ["both sorts", { secret: secrets.ann }, { algorithms: ["HS256", "ES256"] }, /ES256, which needs `jwks`/],
    ["a short secret", { secret: "too short" }, { algorithms: ["HS256"] }, /9 bytes: HS256 needs 32/],
    ["keys without TLS", { jwks: "http://id.example/keys" }, declared, /not `https:`/],
    ["no address", { jwks: "keys" }, declared, /not `https:`/],
  ])("%s is refused", (_name, options, spec, message) => {
    expect(start(options, spec)).toThrow(message);
  });
});

describe("keys at an address", () => {
  /** An issuer that counts how often it is asked, and a clock. */
  function issuer(keys: JSONWebKeySet) {
    const state = {
      keys,
      asked: 0,
      nowMs: startMs,
      status: 200,
      body: undefined as string | ReadableStream<Uint8Array> | undefined,
      hangs: undefined as Promise<void> | undefined,
    };
    const get = async (): Promise<Response> => {
      state.asked += 1;
      await state.hangs;
      return new Response(state.body ?? JSON.stringify(state.keys), { status: state.status });
    };
    const verify = verifierOf({ jwks: "https://id.example/keys", fetch: get }, declared, {
      now: () => state.nowMs,
    });
    const token = async (kid: string, key: KeyObject): Promise<string> => {
      const now = Math.floor(state.nowMs / 1000);
      return signed({ ...claims, iat: now, exp: now + 300 }, { kid }, key);
    };
    return { state, verify, token };
  }

  test.each([600_000, -600_000])(
    "are read once for all who wait, and again when they are no longer fresh: the clock %d ms on",
    async (laterMs) => {
      const { state, verify, token } = issuer(await keySet(ann.publicKey));
      const good = await token("0", ann.privateKey);
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => verify(good)));
      expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(["identity"]));
      expect(state.asked).toBe(1);
      state.nowMs += laterMs;
      expect((await verify(await token("0", ann.privateKey))).kind).toBe("identity");
      expect(state.asked).toBe(2);
    },
  );

  test("are used for ten more minutes while they are read again, and then waited for", async () => {
    const { state, verify, token } = issuer(await keySet(ann.publicKey));
    await verify(await token("0", ann.privateKey));
    const { promise, resolve } = Promise.withResolvers<void>();
    state.hangs = promise;
    state.keys = await keySet(ann.publicKey, bob.publicKey);
    state.nowMs += 1_199_999;
    // Would wait for as long as the test may take.
    for (let at = 0; at < 3; at += 1)
      expect((await verify(await token("0", ann.privateKey))).kind).toBe("identity");
    expect(state.asked).toBe(2);
    const rotated = verify(await token("1", bob.privateKey));
    resolve();
    expect((await rotated).kind).toBe("identity");
    expect(state.asked).toBe(2);
    state.keys = await keySet(ann.publicKey);
    state.nowMs += 1_200_000;
    expect((await verify(await token("1", bob.privateKey))).kind).toBe("rejected");
    expect(state.asked).toBe(3);
  });

  test("are read again for an unknown key, at most every 30 seconds", async () => {
    const { state, verify, token } = issuer(await keySet(ann.publicKey));
    await verify(await token("0", ann.privateKey));
    state.keys = await keySet(ann.publicKey, bob.publicKey);
    const rotated = await token("1", bob.privateKey);
    expect((await verify(rotated)).kind).toBe("rejected");
    state.nowMs += 30_000;
    expect((await verify(rotated)).kind).toBe("identity");
    expect(state.asked).toBe(2);
    for (let at = 0; at < 50; at += 1) {
      expect((await verify(await token(`made-up-${at}`, eve.privateKey))).kind).toBe("rejected");
    }
    expect(state.asked).toBe(2);
  });

  test("stay in use for a day while the issuer is away, which is asked every 30 seconds", async () => {
    const { state, verify, token } = issuer(await keySet(ann.publicKey));
    await verify(await token("0", ann.privateKey));
    state.status = 503;
    state.nowMs += 3_600_000;
    for (let at = 0; at < 10; at += 1) {
      expect((await verify(await token("0", ann.privateKey))).kind).toBe("identity");
    }
    expect(state.asked).toBe(2);
    state.nowMs += 86_400_000;
    await expect(verify(await token("0", ann.privateKey))).rejects.toThrow(/cannot be read: .*status 503/);
    state.status = 200;
    state.nowMs += 30_000;
    expect((await verify(await token("0", ann.privateKey))).kind).toBe("identity");
  });

  test.each([
    ["no JSON", "<html>"],
    ["no key set", '{"keys":"all"}'],
    ["more than 262,144 bytes", `{"keys":[],"more":"${"x".repeat(262_144)}"}`],
  ])("that are %s make the service unavailable", async (_name, body) => {
    const { state, verify, token } = issuer({ keys: [] });
    state.body = body;
    await expect(verify(await token("0", ann.privateKey))).rejects.toThrow("cannot be read");
  });

  test("that come in pieces are counted together, and read no further than 262,144 bytes", async () => {
    const { state, verify, token } = issuer({ keys: [] });
    let pulled = 0;
    state.body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(Buffer.from(pulled === 0 ? '{"keys":[]' : " ".repeat(100_000)));
          pulled += 1;
          if (pulled < 100) return;
          controller.enqueue(Buffer.from("}"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = verify(await token("0", ann.privateKey));
    await expect(answer).rejects.toThrow("more than 262144 bytes");
    expect(pulled).toBe(4);
  });
});

/** ethereum/execution-apis, src/engine/authentication.md: HS256 with 32 bytes, `iat` within 60 seconds, `id` and `clv` optional. */
describe("Ethereum's Engine API", () => {
  const secret = Buffer.from("f0".repeat(32), "hex");
  const engine = verifierOf(
    { secret, caller: ({ id }) => (typeof id === "string" ? id : "consensus") },
    { algorithms: ["HS256"], window: 60 },
  );
  const by = (payload: object, key: Uint8Array = secret, alg = "HS256") =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg, typ: "JWT" }).sign(key);

  test.each<[string, object, string]>([
    ["now", { iat: startSeconds }, "identity"],
    ["60 seconds ago", { iat: startSeconds - 60 }, "identity"],
    ["in 60 seconds", { iat: startSeconds + 60 }, "identity"],
    ["61 seconds ago", { iat: startSeconds - 61 }, "expired"],
    ["in 61 seconds", { iat: startSeconds + 61 }, "expired"],
    ["with its optional claims", { iat: startSeconds, id: "node-7", clv: "Lighthouse/v5" }, "identity"],
    ["without iat", { id: "node-7" }, "rejected"],
    ["with iat as a text", { iat: String(startSeconds) }, "rejected"],
    ["with an end that has passed", { iat: startSeconds, exp: startSeconds - 31 }, "expired"],
  ])("a token made %s", async (_name, payload, kind) => {
    expect((await engine(await by(payload))).kind).toBe(kind);
  });

  test("a token by another secret or another algorithm is refused", async () => {
    expect((await engine(await by({ iat: startSeconds }, Buffer.alloc(32, 1)))).kind).toBe("rejected");
    expect((await engine(await by({ iat: startSeconds }, Buffer.alloc(64, 1), "HS512"))).kind).toBe(
      "rejected",
    );
    expect((await engine(forged({ alg: "none", typ: "JWT" }, { iat: startSeconds }, () => ""))).kind).toBe(
      "rejected",
    );
  });
});
