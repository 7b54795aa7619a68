import type { ResponseLike } from "./response.ts";
import type { Watch } from "./hooks.ts";
import type { Caller } from "./method.ts";
import type { Patience } from "../retry.ts";
import { type Signer, textSigner } from "../signing.ts";
import { base64, encoder } from "../bytes.ts";

export type { Patience } from "../retry.ts";

/** Sends a request: the part of `fetch` that a client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<ResponseLike>;

/** Address, credential, signer and time limits of a connection. */
export interface ConnectOptions extends Patience {
  /** `https://bank.example`: the interface's path is appended. Without user name, password and query. */
  readonly baseUrl: string;
  /** The credential that the service's operator issued. */
  readonly credential: { readonly userName: string; readonly apiKey: string };
  readonly signer: Signer;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Reads the body of a response; its `text()` if absent. */
  readonly read?: (response: ResponseLike) => Promise<string>;
  /** The function that `hooks({ … })` makes: it is called with every attempt. */
  readonly watch?: Watch;
  /** Whether there is to be another attempt, after one that ended so that another may help, or did not. */
  readonly mayRetry?: (wouldHelp: boolean) => boolean;
  /** Gives a call's options as they are to be taken; throws a `TypeError` for those that cannot work. */
  readonly checked?: (options: CallOptions) => CallOptions;
}

/** Options of one call. */
export interface CallOptions extends Patience {
  /** Gives the call up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Identifies the request to the service, at most 128 characters; a random one if absent. A call that makes
   * something new and is repeated under the same identifier, with the same payload and key, takes effect once.
   */
  readonly id?: string;
  /** Sent with this call's requests, beside the client's. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The settings that all calls of a client share. The secrets are in closures, so that no log prints them. */
export interface Connection extends Omit<ConnectOptions, "credential" | "signer">, Caller {
  /** Gives the base64 signature of a text's UTF-8 bytes. */
  readonly sign: (text: string) => string | Promise<string>;
}

/**
 * Prepares calls. Sends nothing yet. Throws a `TypeError` where something is missing; `guarded` finds whatever else
 * cannot work.
 */
export function connect({ baseUrl, credential, signer, ...rest }: ConnectOptions): Connection {
  const { userName, apiKey } = credential ?? {};
  const { keyId } = signer ?? {};
  for (const [name, value] of Object.entries({ baseUrl, userName, apiKey, keyId })) {
    if (!value) throw new TypeError(`${name} is missing`);
  }
  const encoded = `Basic ${base64(encoder.encode(`${userName}:${apiKey}`))}`;
  return {
    ...rest,
    baseUrl: baseUrl.replace(/\/*$/, ""),
    access: () => ({ credential: encoded, apiKey, keyId }),
    sign: textSigner(signer),
  };
}
