import { CallError } from "./failures.ts";
import { ownHeaders, temporaryCodes } from "./interface.ts";
import { limited } from "./limited.ts";
import type { Came, HeaderTexts, NamedMethod, Observe } from "./observe.ts";
import { type Patience, retried } from "./retry.ts";

/** A value, or a function that gives the one to use now. It is asked before every attempt. */
export type Provided<T> = T | (() => T | Promise<T>);

/** The part of a response that a call needs. */
export interface ResponseLike extends Pick<Response, "status" | "headers" | "text"> {
  readonly body?: Response["body"];
}

/** Sends a request: the part of `fetch` that a client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<ResponseLike>;

/** The options that clients of all protocols have. */
export interface CommonOptions extends Patience {
  /** Sent with every request. */
  readonly headers?: HeaderTexts;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
}

/** The options that calls of all protocols have. */
export interface CommonCallOptions extends Patience {
  /** Gives the call up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Sent with this call's requests, beside the client's. */
  readonly headers?: HeaderTexts;
}

/**
 * Names a call, so that the service recognises it when it comes again: the same key with the same payload takes effect
 * once. At most 128 characters.
 */
export type IdempotencyKey = string;

/** A call in bytes. */
export interface Written {
  readonly headers?: HeaderTexts;
  readonly body: string;
}

/** A request as `fetch` takes it. */
type Init = RequestInit & Required<Written>;

/** Sends a request, and gives what came back: `fetch`, or another way that may look at the call itself. */
export type Carry<Request> = (url: string, init: Init, request: Request) => Promise<ResponseLike>;

/** Says who calls, in headers beside those of the request; asked before every attempt. A call rejects with what it throws. */
export type Authorize<Request> = (
  url: string,
  init: Init,
  request: Request,
) => HeaderTexts | undefined | Promise<HeaderTexts | undefined>;

/** The settings that all calls of a client share. */
export interface Exchanging<Method, Request, Answer> extends Omit<CommonOptions, "fetch"> {
  readonly fetch?: Carry<Request>;
  readonly authorize?: Authorize<Request> | undefined;
  /** Reads the body of a response; its `text()` if absent. */
  readonly read?: (response: ResponseLike) => Promise<string>;
  /** Called with every attempt. */
  readonly watch?: Observe<Method, Answer> | undefined;
  /** Whether there is to be another attempt, after one that ended so that another may help, or did not. */
  readonly mayRetry?: (wouldHelp: boolean) => boolean;
  /** Gives a call's options as they are to be taken; throws a `TypeError` for those that cannot work. */
  readonly checked?: <Options extends CommonCallOptions>(options: Options) => Options;
}

/** A request, and how its protocol writes it and reads the answer. */
export interface Framing<Method, Answer> {
  readonly method: Method;
  readonly id: string;
  readonly url: string;
  /** The text that hooks see. */
  readonly text: string;
  /** Puts the call into bytes, for each attempt anew. A call rejects with what it throws. */
  frame(): Written | Promise<Written>;
  read(came: Came): Answer;
  /** Whether another attempt may help; where absent, after no answer and where the service asks for another time. */
  readonly mayHelp?: ((end: Answer | CallError) => boolean) | undefined;
}

/** An answer, or a failure to get one, which has neither headers nor an envelope. */
export interface End {
  readonly status?: number | undefined;
  readonly envelope?: { readonly error?: { readonly code?: unknown } | undefined } | undefined;
}

/**
 * Sends a request until it is answered: again where no answer came, and where the service or what stands before it asks
 * for another time. Rejects with a `NetworkError`, a `TimeoutError`, the reason of the caller's signal, or what framing
 * and authorizing throw.
 */
export function exchange<
  Method extends NamedMethod,
  Answer extends Came & End,
  Request extends Framing<Method, Answer>,
>(
  connection: Exchanging<Method, Request, Answer>,
  request: Request,
  options: CommonCallOptions = {},
): Promise<Answer> {
  const given = connection.checked?.(options) ?? options;
  const call = { ...connection, ...given };
  const { method, id, url, text } = request;
  return retried<Answer>(
    call,
    (attempts, limitMs) => {
      const facts = { method: method.name, id, attempts };
      const attempt = (more?: HeaderTexts) => {
        let isReady = false;
        return limited(limitMs, call.signal, async (signal) => {
          const { body, headers: own } = await request.frame();
          const headers = {
            ...connection.headers,
            ...given.headers,
            ...more,
            ...own,
            ...ownHeaders,
          };
          const init = { method: "POST", redirect: "manual", signal, body, headers } as const;
          Object.assign(headers, await call.authorize?.(url, init, request));
          isReady = true;
          const response = await (call.fetch ?? fetch)(url, init, request);
          return request.read({
            ...facts,
            status: response.status,
            headers: response.headers,
            body: await (call.read?.(response) ?? response.text()),
          });
        }).catch((cause: unknown) => {
          call.signal?.throwIfAborted();
          if (cause && !isReady) throw cause;
          return new CallError(
            cause ? "NetworkError" : "TimeoutError",
            `${method.name} ${cause ? "got no answer" : "took too long"}: ${url}`,
            facts,
            { cause },
          );
        });
      };
      return call.watch?.(method, text, facts, attempt) ?? attempt();
    },
    request.mayHelp ?? isTemporary,
  );
}

function isTemporary({ envelope, status = 500 }: End): boolean {
  const code = envelope?.error?.code;
  return code ? temporaryCodes.includes(code) : status === 429 || status >= 500;
}
