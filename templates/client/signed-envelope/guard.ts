import { connect, type ConnectOptions } from "./connection.ts";
import type { Fetch } from "../exchange.ts";
import type { Hooks } from "../observe.ts";
import { checked, expectKnown, retryStore, textOf } from "../limits.ts";
import { pkcs8Of, type Signer } from "../signing.ts";

/** Options that protect a client. */
export interface GuardOptions extends ConnectOptions {
  /** How large an answer may be; 16 MiB (16,777,216 bytes) if absent. No more of a larger one is read. */
  readonly answerBytesMax?: number;
  /** `messageSignatures` of this package, for a service that requires signatures of HTTP messages, too. */
  readonly messageSignatures?: (signer: Signer, send?: Fetch) => Fetch;
}

/** The options of a client. */
export interface ClientOptions extends Omit<GuardOptions, "watch" | "read" | "mayRetry" | "checked"> {
  /** Called before and after every attempt. */
  readonly hooks?: Hooks;
}

/**
 * Guards a connection against options that cannot work, endless answers and too many retries: a service that is down
 * must not be flooded. Throws a `TypeError` for options that cannot work. A client has this; without a client, pass
 * it to `connect`.
 */
export function guarded({
  answerBytesMax = 2 ** 24,
  messageSignatures,
  ...options
}: GuardOptions): ConnectOptions {
  // Finds what is missing.
  connect(options);
  expectKnown(options, "baseUrl credential signer authorize read watch mayRetry checked");
  const { baseUrl, credential, signer } = options;
  const { userName, apiKey } = typeof credential === "function" ? unasked : credential;
  // Messages name no values: they may be secret.
  const needs = {
    "baseUrl: http://host/path": /^https?:\/\/[^\s@?#\\]+$/.test(baseUrl) && URL.canParse(baseUrl),
    "userName, apiKey and keyId: texts": [userName, apiKey, signer.keyId].every(isText),
    "userName: no colon": !`${userName}`.includes(":"),
    "sign or privateKey: P-256, PKCS#8: openssl pkey -in old.pem -out new.pem": canSign(signer),
  };
  for (const [need, isMet] of Object.entries(needs)) if (!isMet) throw new TypeError(need);
  return {
    ...checked({
      ...options,
      answerBytesMax,
      ...(messageSignatures !== undefined && { fetch: messageSignatures(signer, options.fetch) }),
    }),
    checked,
    read: (response) => textOf(response, answerBytesMax),
    mayRetry: retryStore(),
  };
}

/** In place of a credential that a function gives. */
const unasked = { userName: "", apiKey: "" };

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function canSign(signer: Signer): boolean {
  if ("sign" in signer) return typeof signer.sign === "function";
  const key = signer.privateKey;
  // The object identifier of P-256.
  if (typeof key === "string") return pkcs8Of(key).includes("\x06\x08*\x86H\xce=\x03\x01\x07");
  const { crv, d, algorithm, usages } = Object(key);
  return (crv ?? algorithm?.namedCurve) === "P-256" && (d ?? usages?.includes("sign"));
}
