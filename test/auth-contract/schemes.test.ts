import { signedEnvelope } from "../../runtime/auth/index.ts";
import type { AuthOptions } from "../../runtime/auth/auth-services.ts";
import { bearerTokens } from "./bearer.ts";
import {
  apiKey,
  basic,
  credential,
  enveloped,
  flat,
  payloadOf,
  services,
  signatureOf,
  withAuthorization,
} from "./calls.ts";
import { authSchemeContract, type SchemeUnderTest } from "./contract.ts";

async function signedScheme(strict: boolean, options: AuthOptions = {}) {
  return signedEnvelope(options)(await services(strict));
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

authSchemeContract("signed envelope", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(false),
  userName: "una",
  good: (id) => enveloped(id),
  unidentified: wrongCredentials,
  forged: forgeries,
}));

authSchemeContract("signed envelope, replay: strict", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(true),
  userName: "una",
  good: (id) => enveloped(id),
  unidentified: wrongCredentials,
  forged: { ...forgeries, "no message signature": () => enveloped("1", { unsignedMessage: true }) },
}));

const byCredential = { asks: ["credential", "apiKey"], unsignedMessage: true } as const;
const keyless = { credential, apiKey };
for (const replay of ["off", "strict"]) {
  authSchemeContract(`signed envelope, by credential alone, replay: ${replay}`, async () => ({
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

authSchemeContract("signed envelope, flat bodies", async (): Promise<SchemeUnderTest> => ({
  scheme: await signedScheme(false),
  userName: "una",
  good: (id) => flat(id),
  unidentified: {
    "no header": () => flat("1", { api: { authorization: "" } }),
    "a wrong key": () => flat("1", { api: { authorization: basic("una", "wrong") } }),
  },
  forged: { "another body": () => flat("1", { signed: { other: true } }) },
}));

const tokens = bearerTokens([{ token: "t-1", userName: "una", institutionId: "bank", scopes: ["*"] }]);
authSchemeContract("bearer tokens, a scheme of one file", async (): Promise<SchemeUnderTest> => ({
  scheme: tokens(await services(false)),
  userName: "una",
  good: (id) => withAuthorization(id, "Bearer t-1"),
  unidentified: {
    "no token": () => withAuthorization("1", ""),
    "another scheme": () => withAuthorization("1", credential),
    "a wrong token": () => withAuthorization("1", "Bearer t-2"),
  },
  forged: {},
}));
