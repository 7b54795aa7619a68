import { encoder } from "../bytes.ts";
import type { CommonCallOptions, CommonOptions, Exchanging, Framing, IdempotencyKey } from "../exchange.ts";
import { checked, expectKnown, retryStore, textOf } from "../limits.ts";
import { type HeaderTexts, type Hooks, observer } from "../observe.ts";
import type { Answer } from "./answer.ts";
import { type Authorizer, authorizer, type Scheme } from "./authorizer.ts";
import type { Id } from "./message.ts";
import type { Method } from "./method.ts";

/** The options of a client, but for its credentials. */
export interface ClientOptions extends CommonOptions {
  /** The endpoint's address: `https://api.example.com/rpc`. Without user name and password. */
  readonly url: string;
  /** How large an answer may be; 16 MiB (16,777,216 bytes) if absent. No more of a larger one is read. */
  readonly answerBytesMax?: number;
  /** Called before and after every attempt. */
  readonly hooks?: Hooks;
  /**
   * Gives headers beside those of the schemes, for a gateway in front of the service, say. It is asked before every attempt,
   * and for the handshake of a WebSocket. A call rejects with what it throws.
   */
  readonly authorize?: (url: string) => HeaderTexts | undefined | Promise<HeaderTexts | undefined>;
}

/** The options of one call. */
export interface CallOptions extends CommonCallOptions {
  /** Identifies the call to the service; the next whole number if absent. Not for a batch. */
  readonly id?: Id;
  /**
   * Sent as `Idempotency-Key`, for a service that remembers the calls of each key. Only then does the client send a call
   * again that makes something and was not answered.
   */
  readonly idempotencyKey?: IdempotencyKey;
}

/** One request: a call, a notification, or a batch of them. */
export interface Outgoing extends Framing<Sent, Answer> {
  readonly methods: readonly Method[];
  /** Empty where nothing is to be answered. */
  readonly ids: readonly Id[];
}

/** The methods of a request, as one. */
type Sent = Pick<Method, "name" | "sensitive">;

/** The settings that all calls of a client share. The secrets are in closures, so that no log prints them. */
export interface Connection extends Exchanging<Sent, Outgoing, Answer> {
  readonly url: string;
  readonly nextId: () => Id;
}

/** A way of sending beside HTTP, and how its connection says who calls. */
export type Transport = Required<Pick<Connection, "fetch" | "authorize">>;

/** Options of a transport, checked. */
export interface Prepared {
  readonly options: ClientOptions;
  readonly authorizer: Authorizer;
  readonly answerBytesMax: number;
}

/**
 * Prepares calls, guarded against answers without an end and asking too often. Sends nothing yet. Throws a `TypeError` for
 * options that cannot work; messages name no values, for they may be secret.
 */
export function connect(
  given: ClientOptions & { readonly auth?: object },
  schemes: Readonly<Record<string, Scheme>>,
  transport?: (prepared: Prepared) => Transport,
): Connection {
  const { answerBytesMax = 2 ** 24 } = given;
  expectKnown(given, "url auth authorize open onOpen");
  const { auth, hooks, ...options } = checked({ ...given, answerBytesMax });
  if (!/^(?:http|ws)s?:\/\/[^\s@#\\]+$/.test(options.url ?? "") || !URL.canParse(options.url)) {
    throw new TypeError("url: http://host/path");
  }
  const own = authorizer(schemes, auth);
  const url = new URL(options.url);
  let lastId = 0;
  return {
    ...options,
    async authorize(address, { headers: sent, body }, { methods }) {
      const more = await options.authorize?.(address);
      const headers = { ...sent, ...more };
      const request = { httpMethod: "POST", url, headers, body: encoder.encode(body) } as const;
      return { ...more, ...(await own.headersFor(methods, request)) };
    },
    ...transport?.({ options, authorizer: own, answerBytesMax }),
    checked,
    read: (response) => textOf(response, answerBytesMax),
    nextId: () => ++lastId,
    watch: hooks && observer<Answer>(hooks),
    mayRetry: retryStore(),
  };
}
