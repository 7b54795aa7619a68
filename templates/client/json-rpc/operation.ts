import { exchange } from "../exchange.ts";
import { type Answer, answerOf, checkArrival, isUndone, resultOf } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { type Id, messageText, paramsText } from "./message.ts";
import type { Method } from "./method.ts";

/** Calls one method and gives the result of the answer. */
export interface Operation<Payload, Result> {
  (connection: Connection, payload?: Payload, options?: CallOptions): Promise<Result>;
  readonly method: Method;
}

/** Makes the function that calls a method. A bundle holds only those that it names. */
export function operation<Payload extends object, Result>(method: Method): Operation<Payload, Result> {
  const call = async (connection: Connection, payload?: Payload, options?: CallOptions) => {
    const answer = await ask(connection, method, payload, options);
    return resultOf<Result>(answer, method, answer.envelope);
  };
  return Object.assign(call, { method });
}

/** Calls a method and gives the answer as it came. Does not reject for an error that the service answers with. */
export async function ask(
  connection: Connection,
  method: Method,
  payload?: object,
  options?: CallOptions,
): Promise<Answer> {
  const id = options?.id ?? connection.nextId();
  if (!(typeof id === "string" || Number.isSafeInteger(id)))
    throw new TypeError("id: a text or a whole number");
  const text = messageText(method, paramsText(method, payload), id);
  return send(connection, { methods: [method], text, ids: [id] }, options);
}

/**
 * Sends a notification: nothing tells whether it took effect. Rejects where it certainly did not arrive as it was meant:
 * with a `NetworkError`, a `TimeoutError`, or an `UnreadableResponseError` where HTTP says so.
 */
export async function notify(
  connection: Connection,
  method: Method,
  payload?: object,
  options?: CallOptions,
): Promise<void> {
  if (options?.id !== undefined) throw new TypeError("id: a notification has none");
  const text = messageText(method, paramsText(method, payload));
  const answer = await send(connection, { methods: [method], text, ids: [] }, options);
  checkArrival(answer, method);
}

/**
 * Sends a call, a notification, or a batch of them. If all of its calls may be repeated, it is sent again where that may
 * help. A call that makes something is so only under an `idempotencyKey`, or if the service says that it has done nothing.
 */
export async function send(
  connection: Connection,
  request: { readonly methods: readonly Method[]; readonly text: string; readonly ids: readonly Id[] },
  options: CallOptions = {},
): Promise<Answer> {
  const { methods, text, ids } = request;
  const { idempotencyKey } = options;
  const headers = { ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }) };
  const mayRepeat = idempotencyKey !== undefined || methods.every(({ effect }) => effect !== "create");
  const sensitive = methods.flatMap((method) => method.sensitive ?? []);
  return exchange(
    connection,
    {
      ...request,
      method: { name: methods[0]?.name ?? "", sensitive },
      id: String(ids[0] ?? ""),
      url: connection.url,
      frame: () => ({ headers, body: text }),
      read: (came) => answerOf(came, ids),
      mayHelp: mayRepeat ? undefined : isUndone,
    },
    options,
  );
}
