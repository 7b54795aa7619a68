import type { CallFacts } from "../failures.ts";
import { checked, expectKnown, retryStore, textOf } from "../limits.ts";
import { type Observe, observer, type Observer } from "../observe.ts";
import type { Patience } from "../retry.ts";
import type { Answer } from "./answer.ts";
import { type Authorizer, authorizer, type Scheme } from "./authorizer.ts";
import type { Id } from "./message.ts";
import type { Method } from "./method.ts";

/** The options of a client, but for its credentials. */
export interface ClientOptions extends Patience {
  /** The endpoint's address: `https://api.example.com/rpc`. Without user name and password. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<ResponseLike>;
  /** How large an answer may be; 16 MiB (16,777,216 bytes) if absent. No more of a larger one is read. */
  readonly answerBytesMax?: number;
  /** Called before and after every attempt. */
  readonly hooks?: Hooks;
}

/** The part of a response that a call needs. */
export interface ResponseLike extends Pick<Response, "status" | "headers" | "text"> {
  readonly body?: Response["body"];
}

/** The options of one call. */
export interface CallOptions extends Patience {
  /** Gives the call up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Identifies the call to the service; the next whole number if absent. Not for a batch. */
  readonly id?: Id;
  /** Sent with this call's requests, beside the client's. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sent as `Idempotency-Key`: calls with the same key and payload take effect once, where the service remembers them. Only
   * then does the client send a call again that makes something and was not answered.
   */
  readonly idempotencyKey?: string;
}

/** Called before and after every attempt of every request, for logs, metrics and traces. What a hook throws is ignored. */
export type Hooks = Observer<CallFacts, number>;

/** Sends a message, and gives what came back. */
export type Carry = (message: OutgoingMessage, signal: AbortSignal) => Promise<Carried>;

export interface OutgoingMessage {
  readonly methods: readonly Method[];
  readonly text: string;
  /** Empty where nothing is to be answered. */
  readonly ids: readonly Id[];
  readonly headers: Readonly<Record<string, string>>;
}

export interface Carried {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The settings that all calls of a client share. The secrets are in closures, so that no log prints them. */
export interface Connection extends Patience {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly carry: Carry;
  readonly nextId: () => Id;
  readonly observe: Observe<CallFacts, Answer> | undefined;
  readonly mayRetry: (wouldHelp: boolean) => boolean;
}

/** Options of a transport, checked. */
export interface Prepared {
  readonly options: ClientOptions;
  readonly authorize: Authorizer;
  readonly answerBytesMax: number;
}

/**
 * Prepares calls, guarded against answers without an end and asking too often. Sends nothing yet. Throws a `TypeError` for
 * options that cannot work; messages name no values, for they may be secret.
 */
export function connect(
  given: ClientOptions & { readonly auth?: object },
  schemes: Readonly<Record<string, Scheme>>,
  transport: (prepared: Prepared) => Carry = overHttp,
): Connection {
  const { answerBytesMax = 2 ** 24 } = given;
  expectKnown(given, "url auth open onOpen");
  const { auth, hooks, ...options } = checked({ ...given, answerBytesMax });
  if (!/^(?:http|ws)s?:\/\/[^\s@#\\]+$/.test(options.url ?? "") || !URL.canParse(options.url)) {
    throw new TypeError("url: http://host/path");
  }
  const authorize = authorizer(schemes, auth);
  let lastId = 0;
  return {
    ...options,
    carry: transport({ options, authorize, answerBytesMax }),
    nextId: () => ++lastId,
    observe: hooks && observer<CallFacts, number, Answer>(hooks),
    mayRetry: retryStore(),
  };
}

/** Posts each request. */
function overHttp({ options, authorize, answerBytesMax }: Prepared): Carry {
  const url = new URL(options.url);
  return async ({ methods, text, headers }, signal) => {
    const body = new TextEncoder().encode(text);
    const own = { ...headers, "content-type": "application/json" };
    const request = { httpMethod: "POST", url, headers: own, body } as const;
    const credentials = await credentialsFor(() => authorize.headersFor(methods, request));
    const response = await (options.fetch ?? fetch)(options.url, {
      method: "POST",
      redirect: "manual",
      signal,
      body,
      headers: { ...own, ...credentials },
    });
    return {
      status: response.status,
      headers: response.headers,
      body: await textOf(response, answerBytesMax),
    };
  };
}

/** Marks what a provider of credentials throws. */
export async function credentialsFor<T>(provide: () => Promise<T>): Promise<T> {
  return await provide().catch((cause: unknown) => {
    throw new CredentialsFailed(cause);
  });
}

/** An error that no further attempt would mend: there are no credentials, or a provider of them failed. */
export class CredentialsFailed extends Error {
  constructor(cause: unknown) {
    super("no credentials", { cause });
  }
}
