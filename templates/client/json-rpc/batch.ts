import { checkArrival, envelopeOf, resultOf } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { CallError } from "../failures.ts";
import { batchMax } from "./interface.ts";
import { messageText, paramsText } from "./message.ts";
import type { Method } from "./method.ts";
import { send } from "./operation.ts";

/** How one call of a batch ended, as in `Promise.allSettled`. A notification is fulfilled with undefined once it is sent. */
export type Outcome<Result> =
  | { readonly status: "fulfilled"; readonly value: Result }
  | { readonly status: "rejected"; readonly reason: CallError };

/** A call or, under `notify`, a notification. */
export interface Entry {
  readonly method: Method;
  readonly payload: object | undefined;
  readonly isNotification: boolean;
}

/**
 * Sends calls as one request and gives their outcomes in the same order; each succeeds or fails by itself. Rejects where
 * nothing is known of any of them, as a single call would. Throws a `TypeError` for an empty batch or too long a one.
 */
export async function batch(
  connection: Connection,
  entries: readonly Entry[],
  options?: Omit<CallOptions, "id">,
): Promise<readonly Outcome<unknown>[]> {
  if (entries.length === 0 || entries.length > batchMax) {
    throw new TypeError(`a batch has 1 to ${batchMax} calls, not ${entries.length}`);
  }
  const parts = entries.map(({ method, payload, isNotification }) => {
    const id = isNotification ? undefined : connection.nextId();
    return { method, id, text: messageText(method, paramsText(method, payload), id) };
  });
  const ids = parts.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const text = `[${parts.map((part) => part.text).join(",")}]`;
  const answer = await send(connection, { methods: parts.map(({ method }) => method), text, ids }, options);
  const [first] = parts;
  if (first && ids.length === 0) checkArrival(answer, first.method);
  return parts.map(({ method, id }): Outcome<unknown> => {
    if (id === undefined) return { status: "fulfilled", value: undefined };
    try {
      return { status: "fulfilled", value: resultOf(answer, method, envelopeOf(answer, id)) };
    } catch (reason) {
      if (reason instanceof CallError) return { status: "rejected", reason };
      throw reason;
    }
  });
}

/** The parameters and result of each method, by its name on the wire. */
export type MethodTypes<Methods> = {
  readonly [Name in keyof Methods]: { readonly payload: object; readonly result: unknown };
};

/** A call of a batch: `{ call: "add", payload: { … } }`, or `{ notify: "touched", payload: { … } }`. */
export type BatchCall<Methods extends MethodTypes<Methods>, Notifiable> =
  | {
      readonly [Name in keyof Methods]: { readonly call: Name } & PayloadMember<Methods[Name]["payload"]>;
    }[keyof Methods]
  | {
      readonly [Name in keyof Notifiable]: { readonly notify: Name } & PayloadMember<Notifiable[Name]>;
    }[keyof Notifiable];

/** May be left out where no field is required. */
type PayloadMember<Payload> = {} extends Payload
  ? { readonly payload?: Payload }
  : { readonly payload: Payload };

/** The outcomes of the calls of a batch, each at its place. */
export type Outcomes<Methods extends MethodTypes<Methods>, Calls extends readonly unknown[]> = {
  readonly [At in keyof Calls]: Calls[At] extends { readonly call: infer Name extends keyof Methods }
    ? Outcome<Methods[Name]["result"]>
    : Outcome<undefined>;
};
