import { createHmac, sign, type KeyObject } from "node:crypto";
import { omitUndefined } from "../../base/omit-undefined.ts";
import { newKeyPair, privateKeyFor } from "../sign.ts";
import { issuerKeys } from "./issuer-keys.ts";
import {
  alteredText,
  authorizationHeader,
  needed,
  newSigningKey,
  optionNumber,
  optionText,
  optionTexts,
  tokenVariable,
  type CredentialTask,
  type SchemeKind,
} from "./scheme.ts";

const secretAlgorithms = ["HS256", "HS384", "HS512"];
const publicKeyAlgorithms = "ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512".split(" ");

/** A JSON Web Token (RFC 7519). */
export const jwt: SchemeKind = {
  kind: "jwt",
  required: ["algorithms"],
  optional: ["issuer", "audience", "window", "leeway", "type", "claims"],
  hasScopes: true,
  algorithms: [secretAlgorithms, publicKeyAlgorithms],
  header: authorizationHeader,
  access: {
    needed: [],
    more: ["subject", "claims", "keyId", "secret", "privateKeyPem", "algorithm"],
    example: '{ "subject": "…" }',
    made: newSigningKey,
    toCall: ["secret", "privateKeyPem"],
  },
  variable: tokenVariable,
  changes: (options) => [
    ...(["malformed", "empty", "wrong", "stranger", "body-changed"] as const),
    ...(["expired", "early", "claim-missing", "alg-none"] as const),
    ...(isIssued(options) ? (["other-algorithm", "unknown-key"] as const) : []),
    ...(options["issuer"] === undefined ? [] : (["other-issuer"] as const)),
    ...(options["audience"] === undefined ? [] : (["other-audience"] as const)),
  ],
  /** The suite issues it itself. */
  credential(task) {
    if (task.plan.change === "malformed") return { authorization: "Bearer not.a.token" };
    if (task.plan.change === "empty") return { authorization: "Bearer" };
    return { authorization: `Bearer ${tokenOf(task)}` };
  },
  client: { type: "TokenCredential", value: "bearer", example: '() => "your-token"', fake: '"fake"' },
  page: { lines: () => ["Authorization: Bearer <token>"], how: () => "The token is a JSON Web Token." },
  openApi: () => ({ type: "http", scheme: "bearer", bearerFormat: "JWT" }),
};

/** Whether tokens are signed with a private key of their issuer. */
function isIssued({ algorithms }: CredentialTask["scheme"]["options"]): boolean {
  return Array.isArray(algorithms) && algorithms.some((each) => !String(each).startsWith("HS"));
}

const lifetimeSeconds = 600;

function tokenOf(task: CredentialTask): string {
  const { scheme, plan, credential } = task;
  const algorithm = credential.algorithm ?? optionTexts(scheme, "algorithms")[0] ?? "ES256";
  const claims = claimsOf(task);
  const type = optionText(scheme, "type");
  const head = omitUndefined({ alg: algorithm, typ: type });
  if (plan.change === "alg-none") return unsigned({ ...head, alg: "none" }, claims);
  if (algorithm.startsWith("HS")) {
    const secret = needed(credential.secret, `credentials.${scheme.name}.secret`);
    const used = plan.change === "stranger" ? alteredText(secret) : secret;
    return changed(
      signed(head, claims, (text) => hmac(algorithm, used, text)),
      plan.change,
    );
  }
  const keys = credential.privateKeyPem === undefined ? issuerKeys(algorithm) : undefined;
  const keyId = plan.change === "unknown-key" ? "unknown" : (credential.keyId ?? keys?.keyId);
  const named = keyId === undefined ? head : { ...head, kid: keyId };
  if (plan.change === "other-algorithm") {
    // The public key taken for a secret (RFC 8725, section 2.1).
    const text = keys?.publicKeyPem ?? newKeyPair().publicKeyPem;
    return signed({ ...named, alg: "HS256" }, claims, (bytes) => hmac("HS256", text, bytes));
  }
  const own = keys?.privateKey ?? privateKeyFor(credential.privateKeyPem ?? "");
  const key = plan.change === "stranger" ? issuerKeys(algorithm, "stranger").privateKey : own;
  return changed(
    signed(named, claims, (text) => signature(algorithm, key, text)),
    plan.change,
  );
}

function claimsOf({ scheme, plan, credential, nowSeconds, nonce }: CredentialTask): object {
  const window = optionNumber(scheme, "window");
  const leeway = optionNumber(scheme, "leeway") ?? 30;
  const isExpired = plan.change === "expired";
  const late = isExpired ? lifetimeSeconds + leeway + 60 + (window ?? 0) : 0;
  const issuedAt = nowSeconds - late + (plan.change === "early" ? lifetimeSeconds : 0);
  const [issuer] = optionTexts(scheme, "issuer");
  const [audience] = optionTexts(scheme, "audience");
  const claims = {
    sub: credential.subject ?? "conformance",
    ...omitUndefined({ iss: issuer, aud: audience }),
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: nonce,
    ...omitUndefined({ scope: plan.scopes.length === 0 ? undefined : plan.scopes.join(" ") }),
    ...credential.claims,
    ...omitUndefined({
      nbf: plan.change === "early" ? issuedAt : undefined,
      iss: plan.change === "other-issuer" ? "https://stranger.example" : undefined,
      aud: plan.change === "other-audience" ? "strangers" : undefined,
    }),
  };
  if (plan.change !== "claim-missing") return claims;
  // `exp` has to be there, or `iat` where the spec gives a window.
  const absent = window === undefined ? "exp" : "iat";
  return Object.fromEntries(Object.entries(claims).filter(([name]) => name !== absent));
}

function signed(head: object, claims: object, sealed: (text: string) => Buffer): string {
  const text = `${encoded(head)}.${encoded(claims)}`;
  return `${text}.${sealed(text).toString("base64url")}`;
}

function unsigned(head: object, claims: object): string {
  return `${encoded(head)}.${encoded(claims)}.`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Claims changed after signing: the subject, which the signature covers. */
function changed(token: string, change: CredentialTask["plan"]["change"]): string {
  if (change !== "wrong" && change !== "body-changed") return token;
  const [head = "", claims = "", seal = ""] = token.split(".");
  if (change === "wrong") return `${head}.${claims}.${flipped(seal)}`;
  const original: object = JSON.parse(Buffer.from(claims, "base64url").toString());
  return `${head}.${encoded({ ...original, sub: "another-subject" })}.${seal}`;
}

/** Another signature of the same length: its first byte is changed. */
function flipped(seal: string): string {
  const bytes = Buffer.from(seal, "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString("base64url");
}

function hmac(algorithm: string, secret: string, text: string): Buffer {
  return createHmac(`sha${algorithm.slice(2)}`, secret)
    .update(text)
    .digest();
}

function signature(algorithm: string, key: KeyObject, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (algorithm.startsWith("Ed")) return sign(null, bytes, key);
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith("ES")) return sign(hash, bytes, { key, dsaEncoding: "ieee-p1363" });
  return algorithm.startsWith("PS")
    ? sign(hash, bytes, { key, padding: 6, saltLength: Number(algorithm.slice(2)) / 8 })
    : sign(hash, bytes, key);
}
