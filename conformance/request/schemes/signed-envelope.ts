import { createPrivateKey } from "node:crypto";
import type { SignaturePlan } from "../../suite/case.ts";
import type { Identity } from "../access.ts";
import { newKeyPair, signatureText } from "../sign.ts";
import { newSecret } from "./scheme.ts";

/** A scheme whose proof is a part of the message: `auth.scheme` of a spec names it. */
export interface EnvelopeScheme {
  /** The members of `params.api` that it reads, each with the fault that its absence is (D-06). */
  readonly members: Readonly<Record<string, string>>;
  /** Those that every method asks for, and those that prove a key: a method asks for all of these or none. */
  readonly always: readonly string[];
  readonly ofKeys: readonly string[];
  /** A new caller, for a service of tests. */
  made(): Identity;
  /** What a script of Postman or Bruno signs with, by the names of its variables. */
  variables(identity: Identity): Readonly<Record<string, string>>;
  /** What proves a caller in a request that signs these bytes; `signature` in place of a new one. */
  proof(identity: Identity, signed: Uint8Array, plan?: SignaturePlan, signature?: string): Proof;
  /** The headers of a request whose body has no envelope. */
  headers(proof: Omit<Proof, "apiKey">): Readonly<Record<"authorization" | "signature", string>>;
}

export type Proof = Readonly<Record<"credential" | "keyId" | "signature" | "apiKey", string>>;

/** Credential, key and ECDSA signature of the payload. */
export const signedEnvelope: EnvelopeScheme = {
  members: {
    credential: "badCredential",
    keyId: "unknownKey",
    signature: "invalidSignature",
    apiKey: "badCredential",
  },
  always: ["credential"],
  ofKeys: ["keyId", "signature"],
  made: () => ({
    userName: "mock",
    apiKey: newSecret(),
    keyId: "mock-key",
    privateKeyPem: newKeyPair().privateKeyPem,
  }),
  variables({ userName, apiKey, keyId, privateKeyPem }) {
    const der = createPrivateKey(privateKeyPem).export({ format: "der", type: "pkcs8" });
    return { userName, apiKey, keyId, privateKey: der.toString("base64") };
  },
  proof(identity, signed, plan, signature = signatureText(signed, identity, plan)) {
    const { keyId, apiKey } = identity;
    return { credential: basicCredential(identity), keyId, signature, apiKey };
  },
  headers: ({ credential, keyId, signature }) => ({
    authorization: credential,
    signature: `keyId=${keyId},algorithm=ecdsa-sha256,signature=${signature}`,
  }),
};

/** `Basic` and the base64 of user and API key. */
export function basicCredential({ userName, apiKey }: Pick<Identity, "userName" | "apiKey">): string {
  return `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
}
