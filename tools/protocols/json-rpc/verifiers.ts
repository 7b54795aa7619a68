import { createPublicKey, createSecretKey, hash, X509Certificate } from "node:crypto";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type {
  Credential,
  Credentials,
  OwnCredential,
  OwnHeaders,
} from "../../../conformance/request/credential.ts";
import { apiKey } from "../../../runtime/auth/api-key/index.ts";
import { basic } from "../../../runtime/auth/basic/index.ts";
import { bearer } from "../../../runtime/auth/bearer/index.ts";
import { clientCert } from "../../../runtime/auth/client-cert/index.ts";
import { hmac } from "../../../runtime/auth/hmac/index.ts";
import { jwt } from "../../../runtime/auth/jwt/index.ts";
import { messageSignature } from "../../../runtime/auth/message-signature/index.ts";
import type { Evidence, SchemeVerifier, Verdict } from "../../../runtime/index.ts";
import type { SchemeEntry, SchemeUse } from "../../../conformance/suite/json-rpc.ts";

/** Verifiers of every scheme of an interface, which take no other callers than those of an access file. */
export function verifiersOf(
  model: Secured,
  credentials: Credentials,
): Readonly<Record<string, SchemeVerifier>> {
  return Object.fromEntries(
    model.schemes.map((scheme) => {
      const credential = Object.hasOwn(credentials, scheme.name) ? credentials[scheme.name] : undefined;
      return [scheme.name, verifierOf(scheme, credential ?? {}, scopesOf(scheme, model))];
    }),
  );
}

/** The part of a model that says who may call. */
interface Secured {
  readonly schemes: readonly SchemeEntry[];
  readonly methods: readonly { readonly security: readonly (readonly SchemeUse[])[] }[];
}

/** Permissions of a mock's caller. */
interface MockCaller {
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
}

const rights = {
  scopes: (caller: MockCaller) => caller.scopes,
  expiresAtMs: (caller: MockCaller) => caller.expiresAtMs,
};

/** The verifier of each kind, for the one caller of an access file. */
const verifiers: Readonly<Record<string, (credential: Credential, caller: MockCaller) => SchemeVerifier>> = {
  basic: (credential, caller) =>
    basic({
      caller: ({ userName, password }) =>
        userName === credential.user && password === credential.password ? caller : undefined,
    }),
  bearer: (credential, caller) => bearer({ ...rights, ...lookup(credential, caller) }),
  "api-key": (credential, caller) => apiKey({ ...rights, ...lookup(credential, caller) }),
  hmac: (credential, caller) =>
    hmac({
      key: (keyId) => (keyId === credential.keyId ? { secret: credential.secret ?? "", caller } : undefined),
    }),
  jwt: jwtOf,
  "message-signature": messageSignatureOf,
  "client-cert": (credential, caller) =>
    clientCert({
      trustedProxies: ["127.0.0.1", "::1"],
      caller: (certificate) => (isCallers(certificate, credential) ? caller : undefined),
    }),
};

function verifierOf(
  { kind }: SchemeEntry,
  credential: Credential,
  scopes: readonly string[],
): SchemeVerifier {
  const make = Object.hasOwn(verifiers, kind) ? verifiers[kind] : undefined;
  return make?.(credential, { scopes }) ?? ownVerifier(kind, credential, scopes);
}

/** Finds tokens by the SHA-256 of what is presented. */
function lookup({ token, key, limited, expired }: Credential, caller: MockCaller) {
  const all: readonly (readonly [string | undefined, MockCaller])[] = [
    [token, caller],
    [key, caller],
    [limited, { scopes: [] }],
    [expired, { ...caller, expiresAtMs: 0 }],
  ];
  const known = new Map(
    all.flatMap(([text, whose]) =>
      text === undefined ? [] : [[hash("sha256", text, "hex"), whose] as const],
    ),
  );
  return { caller: ({ sha256 }: { readonly sha256: string }) => known.get(sha256) };
}

function jwtOf({ secret, privateKeyPem, keyId, algorithm }: Credential): SchemeVerifier {
  const caller = unnamedCaller;
  if (secret !== undefined) return jwt({ secret, caller });
  if (privateKeyPem === undefined) return jwt({ jwks: { keys: [] }, caller });
  const key = createPublicKey(privateKeyPem).export({ format: "jwk" });
  const named = { ...key, kty: key.kty ?? "", ...omitUndefined({ kid: keyId }) };
  return jwt({
    jwks: { keys: [{ ...named, ...omitUndefined({ alg: algorithm }) }] },
    caller,
  });
}

function unnamedCaller(): object {
  return {};
}

function messageSignatureOf({ secret, privateKeyPem, keyId, origin }: Credential): SchemeVerifier {
  const key =
    secret === undefined
      ? privateKeyPem === undefined
        ? undefined
        : createPublicKey(privateKeyPem)
      : createSecretKey(Buffer.from(secret));
  return messageSignature({
    key: (asked) => (asked === keyId && key !== undefined ? { key, caller: {} } : undefined),
    origin: origin ?? "http://127.0.0.1",
  });
}

/** Without one in the access file any certificate that is valid now will do. */
function isCallers(certificate: X509Certificate, { certificatePem }: Credential): boolean {
  return (
    certificatePem === undefined ||
    new X509Certificate(certificatePem).fingerprint256 === certificate.fingerprint256
  );
}

/** For a kind of the project's own: the headers of the access file. Without any, every caller. */
function ownVerifier(kind: string, { own }: Credential, scopes: readonly string[]): SchemeVerifier {
  return {
    kind,
    bind: () => ({
      verifies: "request",
      verify: (evidence) => (own === undefined ? identityWith(scopes) : verdictOn(evidence, own, scopes)),
    }),
  };
}

function verdictOn(
  evidence: Evidence,
  { headers, limited, expired }: OwnCredential,
  scopes: readonly string[],
): Verdict {
  const shows = (wanted: OwnHeaders = {}): boolean => {
    const entries = Object.entries(wanted);
    return entries.length > 0 && entries.every(([name, value]) => evidence.header(name).join() === value);
  };
  if (shows(headers)) return identityWith(scopes);
  if (shows(limited)) return identityWith([]);
  if (shows(expired)) return { kind: "expired" };
  const isTried = Object.keys(headers).some((name) => evidence.header(name).length > 0);
  return isTried ? { kind: "rejected", reason: "not the headers of the access file" } : { kind: "missing" };
}

function identityWith(scopes: readonly string[]): Verdict {
  return { kind: "identity", identity: { caller: {}, scopes } };
}

/** Every scope that a method asks of a scheme. */
function scopesOf({ name }: SchemeEntry, { methods }: Secured): readonly string[] {
  const uses = methods.flatMap(({ security }) => security.flat());
  return [...new Set(uses.flatMap(({ scheme, scopes }) => (scheme === name ? scopes : [])))];
}
