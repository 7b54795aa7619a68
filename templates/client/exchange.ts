import type { Answer, Envelope } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { temporaryCodes } from "./interface.ts";
import type { Method } from "./method.ts";
import { limited, sender } from "./send.ts";

/**
 * Sends a request until it is answered: again where no answer came, and where the service or what stands before it
 * asks for another time. That is safe: a `read` or a `set` may be repeated, a `create` is known by the request's id
 * or, where the body is flat, by the signature, which only there is not made afresh. Rejects with a `NetworkError`,
 * a `TimeoutError`, the reason of the caller's signal, or what the signer throws.
 */
export async function exchange(
  connection: Connection,
  method: Method,
  payload: object,
  options?: CallOptions,
): Promise<Answer> {
  const given = options && (connection.checked?.(options) ?? options);
  const call: Connection & CallOptions = given
    ? { ...connection, ...given, headers: { ...connection.headers, ...given.headers } }
    : connection;
  const {
    attemptTimeoutMs = 15_000,
    totalTimeoutMs = 60_000,
    attemptsMax = 4,
    backoffMs = 200,
    backoffMsMax = 5000,
    id = crypto.randomUUID(),
  } = call;
  const send = sender(call, method, JSON.stringify(payload));
  const endsAtMs = performance.now() + totalTimeoutMs;
  for (let attempts = 1; ; attempts++) {
    const limitMs = Math.min(attemptTimeoutMs, endsAtMs - performance.now());
    const end = await send({ method: method.name, id, attempts }, limitMs);
    const again = isTemporary(end);
    const waitMs = again
      ? retryAfterMs(end) + Math.random() * Math.min(backoffMsMax, backoffMs * 2 ** (attempts - 1))
      : 0;
    // Timers count whole milliseconds and fire up to two early: what is left then is no time for an attempt.
    const isOver = attempts >= attemptsMax || performance.now() + waitMs > endsAtMs - 2;
    if (isOver || !(call.mayRetry?.(again) ?? again)) {
      if (end instanceof Error) throw end;
      return end;
    }
    await limited(waitMs, call.signal).catch(() => {});
  }
}

/** An answer, or a failure to get one, which has nothing of this. */
interface End {
  readonly envelope?: Envelope | undefined;
  readonly status?: number | undefined;
  readonly headers?: Headers;
}

function isTemporary({ envelope, status = 500 }: End): boolean {
  const code = envelope?.error?.code;
  return code ? temporaryCodes.includes(code) : status === 429 || status >= 500;
}

/** What `Retry-After` asks for: seconds or a date. */
function retryAfterMs({ headers }: End): number {
  const after = headers?.get("retry-after") ?? "";
  return Math.max(0, +after * 1000 || Date.parse(after) - Date.now() || 0);
}
