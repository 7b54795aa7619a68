import { exchange } from "../exchange.ts";
import { type Answer, answerOf, resultOf } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { newId, path } from "./interface.ts";
import type { Method, Transport } from "./method.ts";
import type { Proof } from "./proof.ts";

/** Calls one method: signs the payload, sends it, and gives the result of the answer. */
export interface Operation<Payload, Result> {
  (connection: Connection, payload: Payload, options?: CallOptions): Promise<Result>;
  readonly method: Method;
}

/** Makes the function that calls a method. A bundle holds only those that it names. */
export function operation<Payload extends object, Result extends object>(
  name: string,
  transport: Transport,
  sensitive?: readonly string[],
): Operation<Payload, Result> {
  const method = { name, transport, sensitive };
  const call = async (connection: Connection, payload: Payload, options?: CallOptions) =>
    resultOf<Result>(await ask(connection, method, payload, options), method);
  return Object.assign(call, { method });
}

/**
 * Calls a method and gives the answer as it came. Every call may be sent again: a `read` or `set` may be repeated, and a
 * `create` is recognised by the request's id, or in a flat body by the signature, which stays the same there.
 */
export function ask(
  connection: Connection,
  method: Method,
  payload: object,
  options?: CallOptions,
): Promise<Answer> {
  const { transport, name } = method;
  const text = JSON.stringify(payload);
  const id = options?.id ?? newId(method);
  let proof: Proof | undefined;
  return exchange(
    connection,
    {
      method,
      id,
      url: connection.baseUrl + (transport.path ?? path),
      text,
      async frame() {
        proof = (transport.signsOnce && proof) || (await connection.prove(text));
        return transport.frame(proof, text, name, id);
      },
      read: (came) => answerOf(came, method),
    },
    options,
  );
}

/** An operation of one client. */
export type BoundOperation<Payload, Result> = (payload: Payload, options?: CallOptions) => Promise<Result>;
