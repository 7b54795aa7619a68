import { methodNamed } from "../bound.ts";
import { type Answer, resultOf } from "./answer.ts";
import { batch, type BatchCall, type MethodTypes, type Outcomes } from "./batch.ts";
import type { CallOptions, Connection } from "./connection.ts";
import type { Method } from "./method.ts";
import { ask, notify } from "./operation.ts";

/** A payload that may be left out where no field is required, and options. */
export type Arguments<Payload> = {} extends Payload
  ? [payload?: Payload, options?: CallOptions]
  : [payload: Payload, options?: CallOptions];

/** An operation of one client. */
export type BoundOperation<Payload, Result> = (...given: Arguments<Payload>) => Promise<Result>;

/** Members of every client, beside one for each method. */
export interface StandardClient<Methods extends MethodTypes<Methods>, Notifiable> {
  /** The connection, which the functions of single methods take in place of a client. */
  readonly connection: Connection;
  /** Calls a method by its name on the wire. */
  call<Name extends keyof Methods>(
    name: Name,
    ...given: Arguments<Methods[Name]["payload"]>
  ): Promise<Methods[Name]["result"]>;
  /** Calls a method and gives the answer as it came. Does not reject for an error that the service answers with. */
  raw<Name extends keyof Methods>(name: Name, ...given: Arguments<Methods[Name]["payload"]>): Promise<Answer>;
  /** Sends a notification: nothing tells whether it took effect. */
  notify<Name extends keyof Notifiable>(name: Name, ...given: Arguments<Notifiable[Name]>): Promise<void>;
  /** Sends calls as one request, and gives their outcomes in the same order, as `Promise.allSettled` does. */
  batch<const Calls extends readonly BatchCall<Methods, Notifiable>[]>(
    calls: Calls,
    options?: Omit<CallOptions, "id">,
  ): Promise<Outcomes<Methods, Calls>>;
}

/** A call of a batch, whatever its types. */
interface AnyCall {
  readonly call?: PropertyKey | undefined;
  readonly notify?: PropertyKey | undefined;
  readonly payload?: unknown;
}

/** The members that every client has, over a connection. */
export function standardClient<Methods extends MethodTypes<Methods>, Notifiable>(
  connection: Connection,
  operations: readonly { readonly method: Method }[],
): StandardClient<Methods, Notifiable> {
  const named = (name: PropertyKey | undefined) => methodNamed(String(name), operations);
  const raw = async (name: PropertyKey, payload?: object, options?: CallOptions) =>
    await ask(connection, named(name), payload, options);
  return {
    connection,
    raw,
    async call(name, ...[payload, options]) {
      const answer = await raw(name, payload, options);
      return resultOf(answer, named(name), answer.envelope);
    },
    async notify(name, ...[payload, options]) {
      await notify(connection, named(name), payload ?? {}, options);
    },
    async batch<const Calls extends readonly AnyCall[]>(calls: Calls, options?: Omit<CallOptions, "id">) {
      const entries = calls.map(({ call, notify: name, payload }) => ({
        method: named(call ?? name),
        payload: payload instanceof Object ? payload : undefined,
        isNotification: call === undefined,
      }));
      const outcomes: unknown = await batch(connection, entries, options);
      if (isOneEach<Outcomes<Methods, Calls>>(outcomes, calls)) return outcomes;
      throw new TypeError("outcomes without calls");
    },
  };
}

/** That each outcome has the type that its method documents is the service's promise. */
function isOneEach<T>(outcomes: unknown, calls: readonly unknown[]): outcomes is T {
  return Array.isArray(outcomes) && outcomes.length === calls.length;
}
