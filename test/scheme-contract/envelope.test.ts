import { hash, sign } from "node:crypto";
import { signedEnvelope } from "../../runtime/auth/index.ts";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import type { AuthOptions, AuthServices, Caller } from "../../runtime/auth/auth-services.ts";
import { createVerifier } from "../../runtime/pipeline/index.ts";
import { describeScheme } from "./contract.ts";
import {
  apiKey,
  basic,
  binding,
  credential,
  enveloped,
  flat,
  flatEvidence,
  payloadOf,
  signatureOf,
} from "./envelope-calls.ts";
import { knownCaller, pairsOf } from "./keys.ts";
import { signedHeaders } from "./sign-message.ts";
import { describeCalls, type SchemeUnderTest } from "./envelope-contract.ts";

async function signedScheme(strict: boolean, options: AuthOptions = {}) {
  return signedEnvelope(options).bind({ kind: "signedEnvelope" }, await binding(strict));
}

const good = { credential, keyId: "k1", signature: signatureOf(payloadOf("same")) };
const wrongCredentials = {
  "no members": () => enveloped("1", { api: {} }),
  "a wrong key": () => enveloped("1", { api: { ...good, credential: basic("una", "wrong") } }),
  "an unknown user": () => enveloped("1", { api: { ...good, credential: basic("nobody", apiKey) } }),
  "a user of another realm": () => enveloped("1", { api: { ...good, credential: basic("olaf", apiKey) } }),
  "no credential at all": () => enveloped("1", { api: { ...good, credential: "Basic" } }),
};
const forgeries = {
  "another payload": () => enveloped("1", { signed: { other: true } }),
  "an unknown key": () => enveloped("1", { api: { ...good, keyId: "k9" } }),
  "another user's key": () => enveloped("1", { api: { ...good, keyId: "k2" } }),
  "no signature": () => enveloped("1", { api: { credential, keyId: "k1" } }),
};

describeCalls("signed envelope", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(false),
  userName: "una",
  good: (id) => enveloped(id),
  unidentified: wrongCredentials,
  forged: forgeries,
}));

describeCalls("signed envelope, replay: strict", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(true),
  userName: "una",
  good: (id) => enveloped(id),
  unidentified: wrongCredentials,
  forged: { ...forgeries, "no message signature": () => enveloped("1", { unsignedMessage: true }) },
}));

const byCredential = { asks: ["credential", "apiKey"], unsignedMessage: true } as const;
const keyless = { credential, apiKey };
for (const replay of ["off", "strict"]) {
  describeCalls(`signed envelope, by credential alone, replay: ${replay}`, async () => ({
    scheme: await signedScheme(replay === "strict"),
    userName: "una",
    good: (id) => enveloped(id, { ...byCredential, api: keyless }),
    unidentified: {
      "no members": () => enveloped("1", { ...byCredential, api: {} }),
      "a wrong key": () =>
        enveloped("1", { ...byCredential, api: { ...keyless, credential: basic("una", "wrong") } }),
      "no apiKey": () => enveloped("1", { ...byCredential, api: { credential } }),
    },
    // A key and a signature need not be sent. Those that are sent have to be right.
    forged: {
      "an unknown key": () => enveloped("1", { ...byCredential, api: { ...good, apiKey, keyId: "k9" } }),
      "another payload": () =>
        enveloped("1", { ...byCredential, api: { ...good, apiKey, signature: signatureOf({}) } }),
      "a key without a signature": () =>
        enveloped("1", { ...byCredential, api: { ...keyless, keyId: "k1" } }),
      "a signature without a key": () =>
        enveloped("1", { ...byCredential, api: { ...keyless, signature: good.signature } }),
    },
  }));
}

describeCalls("signed envelope, flat bodies", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(false),
  userName: "una",
  good: (id) => flat(id),
  unidentified: {
    "no header": () => flat("1", { api: { authorization: "" } }),
    "a wrong key": () => flat("1", { api: { authorization: basic("una", "wrong") } }),
  },
  forged: { "another body": () => flat("1", { signed: { other: true } }) },
}));

const p256 = pairsOf("P-256");
const verifier = createVerifier();

/** Ann and Bob, each with an API key that ends in the name, and a key of this name. */
function servicesOf(isStrict: boolean): AuthServices {
  return {
    callers: {
      async principal(name) {
        const userName = knownCaller(name);
        if (userName === undefined) return undefined;
        const user = { userName, realm: "tasks", institutionId: "bank", scopes: [] };
        const key = { id: `key of ${userName}`, hash: hash("sha256", `key of ${userName}`, "buffer") };
        return { user, apiKeys: [key] };
      },
      async activeKey(name) {
        const userName = knownCaller(name);
        return userName && { userName, publicKey: p256[userName].publicKey };
      },
      invitation: async () => undefined,
      invalidate() {},
      used() {},
    },
    verifier,
    rules: { isStrict },
  };
}

/** The scheme, with callers by their names as the suite has them. */
function byName(scheme: SchemeVerifier<string, Caller>): SchemeVerifier<string, string> {
  return {
    kind: scheme.kind,
    bind(declared, services) {
      const { verify, ...bound } = scheme.bind(declared, services);
      return {
        ...bound,
        async verify(evidence, observer) {
          const verdict = await verify(evidence, observer);
          if (verdict.kind !== "identity") return verdict;
          const { caller, scopes } = verdict.identity;
          return { kind: "identity", identity: { caller: caller.userName, scopes } };
        },
      };
    },
  };
}

for (const isStrict of [false, true]) {
  describeScheme(`signed envelope, flat bodies by their headers, replay: ${isStrict ? "strict" : "off"}`, {
    declared: { kind: "signedEnvelope" },
    verifier: byName(signedEnvelope()),
    services: servicesOf(isStrict),
    evidence: flatEvidence,
    present(request, { nowMs, key, claims = key }) {
      const authorization = basic(claims, `key of ${key}`);
      const { privateKey } = p256[key];
      if (!isStrict) {
        const signature = sign("sha256", Buffer.from(request.body), privateKey).toString("base64");
        return { authorization, signature: `keyId=${claims},algorithm=ecdsa-sha256,signature=${signature}` };
      }
      const created = Math.floor(nowMs / 1000);
      const algorithm = "ecdsa-p256-sha256";
      const parameters = `;expires=${created + 60};nonce="1"`;
      return {
        authorization,
        ...signedHeaders(request, { keyId: claims, key: privateKey, algorithm, created, parameters }),
      };
    },
    malformed: ["Basic YW5u", `${basic("ann", "x")}=`, "Basic ann:x", "Basic /w=="],
    covers: isStrict ? ["body", "httpMethod", "target"] : ["body"],
    once: isStrict,
    ...(isStrict && { good: { before: 30, after: 59 } }),
  });
}
