import { basicText } from "../bytes.ts";
import type { Provided } from "../exchange.ts";
import { pkcs8Of, type Signer, textSigner } from "../signing.ts";

/** The credential that the service's operator issued. */
export interface Credential {
  readonly userName: string;
  readonly apiKey: string;
}

/** Who calls, as the options of a client say it. */
export interface Identity {
  readonly credential: Provided<Credential>;
  readonly signer: Signer;
}

export type AuthMember = "credential" | "keyId" | "signature" | "apiKey";

/** The values that tell the service who is calling. The signature is of the payload's text. */
export type Proof = Readonly<Record<AuthMember, string>>;

/** The identity that requests carry; a function, so that no log prints its secrets. */
export interface Caller {
  /** Signs a text's UTF-8 bytes. */
  prove(text: string): Promise<Proof>;
}

/** Makes proofs. The credential may be a function, which is asked each time. */
export function prover(credential: Identity["credential"], signer: Signer): Caller["prove"] {
  const sign = textSigner(signer);
  return async (text) => {
    const { userName, apiKey } = await (typeof credential === "function" ? credential() : credential);
    return {
      credential: basicText(userName, apiKey),
      apiKey,
      keyId: signer.keyId,
      signature: await sign(text),
    };
  };
}

/** What an identity needs to work, and whether it has it. */
export function needsOf({ credential, signer }: Identity): Readonly<Record<string, boolean>> {
  const { userName, apiKey } = typeof credential === "function" ? unasked : credential;
  return {
    "userName, apiKey and keyId: texts": [userName, apiKey, signer.keyId].every(
      (text: unknown) => typeof text === "string",
    ),
    "userName: no colon": !`${userName}`.includes(":"),
    "sign or privateKey: P-256, PKCS#8: openssl pkey -in old.pem -out new.pem": canSign(signer),
  };
}

/** In place of a credential that a function gives. */
const unasked = { userName: "", apiKey: "" };

function canSign(signer: Signer): boolean {
  if ("sign" in signer) return typeof signer.sign === "function";
  const key = signer.privateKey;
  // The object identifier of P-256.
  if (typeof key === "string") return pkcs8Of(key).includes("\x06\x08*\x86H\xce=\x03\x01\x07");
  const { crv, d, algorithm, usages } = Object(key);
  return (crv ?? algorithm?.namedCurve) === "P-256" && (d ?? usages?.includes("sign"));
}
