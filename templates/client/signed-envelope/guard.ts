import { connect, type ConnectOptions } from "./connection.ts";
import type { Fetch } from "../exchange.ts";
import type { Hooks } from "../observe.ts";
import { checked, expectKnown, retryStore, textOf } from "../limits.ts";
import type { Signer } from "../signing.ts";
import { needsOf } from "./proof.ts";

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
  const { baseUrl, signer } = options;
  // Messages name no values: they may be secret.
  const needs = {
    "baseUrl: http://host/path": /^https?:\/\/[^\s@?#\\]+$/.test(baseUrl) && URL.canParse(baseUrl),
    ...needsOf(options),
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
