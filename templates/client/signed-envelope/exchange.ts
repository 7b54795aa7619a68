import type { Answer } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { newId, temporaryCodes } from "./interface.ts";
import type { Method } from "./method.ts";
import { retried } from "../retry.ts";
import { sender } from "./send.ts";

/**
 * Sends a request until it is answered: again where no answer came, and where the service or what stands before it
 * asks for another time. That is safe: a `read` or `set` may be repeated. A `create` is recognised by the request's
 * id, or in a flat body by the signature, which stays the same there. Rejects with a `NetworkError`, a
 * `TimeoutError`, the reason of the caller's signal, or what the signer throws.
 */
export function exchange(
  connection: Connection,
  method: Method,
  payload: object,
  options?: CallOptions,
): Promise<Answer> {
  const given = options && (connection.checked?.(options) ?? options);
  const call: Connection & CallOptions = given
    ? { ...connection, ...given, headers: { ...connection.headers, ...given.headers } }
    : connection;
  const id = call.id ?? newId(method);
  const send = sender(call, method, JSON.stringify(payload));
  return retried<Answer>(
    call,
    (attempts, limitMs) => send({ method: method.name, id, attempts }, limitMs),
    ({ envelope, status = 500 }: End) => {
      const code = envelope?.error?.code;
      return code ? temporaryCodes.includes(code) : status === 429 || status >= 500;
    },
  );
}

/** An answer, or a failure to get one, which has nothing of this. */
interface End {
  readonly envelope?: Answer["envelope"];
  readonly status?: number | undefined;
}
