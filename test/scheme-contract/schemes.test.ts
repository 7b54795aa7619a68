import { createHash, createHmac, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, SignJWT } from "jose";
import { apiKey } from "../../runtime/auth/api-key/index.ts";
import { basic } from "../../runtime/auth/basic/index.ts";
import { bearer } from "../../runtime/auth/bearer/index.ts";
import { clientCert } from "../../runtime/auth/client-cert/index.ts";
import { hmac } from "../../runtime/auth/hmac/index.ts";
import { jwt } from "../../runtime/auth/jwt/index.ts";
import { messageSignature } from "../../runtime/auth/message-signature/index.ts";
import { describeScheme, startMs, type Presenter } from "./contract.ts";
import { knownCaller, pairsOf, people, secretPair, secrets, type KeyPair, type Person } from "./keys.ts";
import { signedHeaders } from "./sign-message.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** A secret of each person; presenting another's name with it is what a thief of names can do. */
const secretOf = (person: Person): string => `${person}-0123456789abcdef`;
const known = new Map((["ann", "bob"] as const).map((person) => [sha256(secretOf(person)), person]));

describeScheme("basic", {
  declared: { kind: "basic" },
  verifier: basic({
    caller: ({ userName, password }) => (known.get(sha256(password)) === userName ? userName : undefined),
  }),
  present: (_request, { key, claims }) => ({
    authorization: `Basic ${base64(`${claims ?? key}:${secretOf(key)}`)}`,
  }),
  malformed: [
    "Basic",
    "Basic ",
    "Basic YW5u",
    `Basic ${base64("ann:x")}=`,
    "Basic ann:x",
    "Basic /w==",
    `Basic ${base64("a\u0000:b")}`,
  ],
  covers: [],
  once: false,
});

describeScheme("bearer", {
  declared: { kind: "bearer" },
  verifier: bearer({ caller: ({ sha256: hash }) => known.get(hash) }),
  present: (_request, { key }) => ({ authorization: `bearer ${secretOf(key)}` }),
  malformed: ["Bearer", "Bearer a b", "Bearer a,b", "Bearer =", "Bearer \u00e4"],
  covers: [],
  once: false,
});

describeScheme("api-key by lookup", {
  declared: { kind: "api-key", header: "X-Api-Key" },
  verifier: apiKey({ caller: ({ sha256: hash }) => known.get(hash) }),
  present: (_request, { key }) => ({ "x-api-key": secretOf(key) }),
  malformed: [""],
  covers: [],
  once: false,
});

describeScheme("api-key by list", {
  declared: { kind: "api-key", header: "X-Api-Key" },
  verifier: apiKey({ keys: [...known].map(([hash, caller]) => ({ sha256: hash, caller })) }),
  present: (_request, { key }) => ({ "x-api-key": secretOf(key) }),
  malformed: [""],
  covers: [],
  once: false,
});

const hmacCovers: readonly (readonly string[])[] = [
  ["timestamp", "body"],
  ["timestamp", "nonce", "method", "path", "body"],
];
for (const covers of hmacCovers) {
  const hasNonce = covers.includes("nonce");
  const nonce = hasNonce ? "n=4711," : "";
  describeScheme(`hmac of ${covers.join(", ")}`, {
    declared: { kind: "hmac", header: "X-Signature", covers, window: 60 },
    verifier: hmac({
      key: (keyId) => {
        const caller = knownCaller(keyId);
        return caller && { secret: secrets[caller], caller };
      },
    }),
    present: ({ body, httpMethod, target }, { nowMs, key, claims = key }) => {
      const at = Math.floor(nowMs / 1000);
      const rest = hasNonce ? `4711\n${httpMethod}\n${target}\n` : "";
      const mac = createHmac("sha256", secrets[key]).update(`${at}\n${rest}${body}`).digest("hex");
      return { "x-signature": `t=${at},k=${claims},${nonce}v1=${mac}` };
    },
    malformed: [
      "t=1",
      `t=1,k=ann,${hasNonce ? "" : "n=1,"}v1=${"0".repeat(64)}`,
      `t=1,k=ann,${nonce}v1=${"0".repeat(63)}`,
      `t=-1,k=ann,${nonce}v1=${"0".repeat(64)}`,
      `t=1,k=,${nonce}v1=${"0".repeat(64)}`,
      `t=1,k=ann,${nonce}v1=${"0".repeat(64)},v1=${"1".repeat(64)}`,
    ],
    covers: hasNonce ? ["body", "httpMethod", "target"] : ["body"],
    once: true,
    good: { before: 60, after: 60 },
  });
}

const p256 = pairsOf("P-256");
const jwks = {
  keys: await Promise.all(
    (["ann", "bob"] as const).map(async (kid) => ({
      ...(await exportJWK(p256[kid].publicKey)),
      kid,
      alg: "ES256",
    })),
  ),
};
/** A token by jose; the key is the issuer's that the header names, so that each caller has an issuer's key here. */
const tokenOf = async ({ nowMs, key, claims }: Presenter): Promise<string> => {
  const sub: Person = claims ?? key;
  const iat = Math.floor(nowMs / 1000);
  return new SignJWT({ iss: "https://id.example", aud: "tasks", sub, iat, exp: iat + 300 })
    .setProtectedHeader({ alg: "ES256", kid: sub })
    .sign(p256[key].privateKey);
};
const malformedTokens = [
  "Bearer",
  "Bearer x",
  "Bearer a.b",
  "Bearer a.b.c",
  "Bearer ..",
  "Bearer e30.e30.",
  "Bearer e30.e30.e30.e30.e30",
];

describeScheme("jwt with exp", {
  declared: {
    kind: "jwt",
    algorithms: ["ES256"],
    issuer: "https://id.example",
    audience: "tasks",
    leeway: 10,
  },
  verifier: jwt({ jwks, caller: ({ sub }) => knownCaller(sub ?? "") }),
  present: async (_request, by) => ({ authorization: `Bearer ${await tokenOf(by)}` }),
  malformed: malformedTokens,
  covers: [],
  once: false,
  good: { after: 309 },
});

describeScheme("jwt with a window for iat and a secret", {
  declared: { kind: "jwt", algorithms: ["HS256"], window: 60 },
  verifier: jwt({ secret: secrets.ann, caller: ({ sub }) => knownCaller(sub ?? "") }),
  present: async (_request, { nowMs, key, claims = key }) => {
    const token = new SignJWT({ sub: claims, iat: Math.floor(nowMs / 1000) }).setProtectedHeader({
      alg: "HS256",
    });
    const secret = key === "eve" ? secrets.eve : secrets.ann;
    return { authorization: `Bearer ${await token.sign(secret)}` };
  },
  malformed: malformedTokens,
  covers: [],
  once: false,
  good: { before: 60, after: 60 },
});

const messageKeys: readonly (readonly [string, Readonly<Record<Person, KeyPair>>])[] = [
  ["ecdsa-p256-sha256", p256],
  ["ecdsa-p384-sha384", pairsOf("P-384")],
  ["ed25519", pairsOf("ed25519")],
  ["rsa-pss-sha512", pairsOf("rsa")],
  ["rsa-v1_5-sha256", pairsOf("rsa")],
  ["hmac-sha256", { ann: secretPair("ann"), bob: secretPair("bob"), eve: secretPair("eve") }],
];
for (const [algorithm, pairs] of messageKeys) {
  describeScheme(`message-signature ${algorithm}`, {
    declared: { kind: "message-signature", algorithms: [algorithm], window: 60 },
    verifier: messageSignature({
      key: (keyId) => {
        const caller = knownCaller(keyId);
        return caller && { key: pairs[caller].publicKey, caller };
      },
    }),
    present: (request, { nowMs, key, claims = key }) =>
      signedHeaders(request, {
        keyId: claims,
        key: pairs[key].privateKey,
        algorithm,
        created: Math.floor(nowMs / 1000),
        parameters: `;nonce="1";alg="${algorithm}"`,
      }),
    malformed: [
      "sig1=",
      "sig1=(",
      'sig2=("@method" "@path" "content-digest");created=1;keyid="ann"',
      'sig1=("@method" "@path");created=1;keyid="ann"',
      'sig1=("@method" "@path" "content-digest");keyid="ann"',
      'sig1=("@method" "@path" "content-digest");created=1',
      'sig1=("@method" "@path" "content-digest" "x-absent");created=1;keyid="ann"',
      'sig1=("@method" "@method" "@path" "content-digest");created=1;keyid="ann"',
      'sig1=("@method" "@path";req "content-digest");created=1;keyid="ann"',
    ],
    covers: ["body", "httpMethod", "target"],
    once: true,
    good: { before: 60, after: 60 },
  });
}

const pem = (name: string): string =>
  readFileSync(join(import.meta.dirname, "certificates", `${name}.pem`), "utf8");
const certificates = new Map(people.map((person) => [person, new X509Certificate(pem(person))]));
const known256 = new Map(
  (["ann", "bob"] as const).map((person) => [certificates.get(person)?.fingerprint256, person]),
);
const ann = certificates.get("ann");
const secondsTo = (date: Date | undefined): number => ((date?.getTime() ?? Number.NaN) - startMs) / 1000;

describeScheme("client-cert", {
  declared: { kind: "client-cert" },
  verifier: clientCert({
    trustedProxies: ["10.0.0.0/8"],
    issuers: [pem("ca")],
    caller: ({ fingerprint256 }) => known256.get(fingerprint256),
  }),
  present: (_request, { key }) => ({ "client-cert": `:${certificates.get(key)?.raw.toString("base64")}:` }),
  malformed: [":AAAA:", "AAAA", ":AAAA", "::", '"text"'],
  covers: [],
  once: false,
  good: { before: -secondsTo(ann?.validFromDate), after: secondsTo(ann?.validToDate) - 1 },
});
