import { CallError } from "../failures.ts";
import { limited } from "../limited.ts";
import { checked } from "../limits.ts";
import { retried } from "../retry.ts";
import { type Answer, answerOf } from "./answer.ts";
import { type CallOptions, type Connection, CredentialsFailed, type OutgoingMessage } from "./connection.ts";
import { rateLimitedCode, temporaryCodes } from "./interface.ts";

/** One request: a call, a notification, or a batch of them. */
export type Request = Omit<OutgoingMessage, "headers">;

/**
 * Sends a request until it is answered. If all of its calls may be repeated, it is sent again after no answer and if
 * the service asks for another time. A call that makes something may be so only under an `idempotencyKey`, or if the
 * service says that it has done nothing. Rejects with a `NetworkError`, a `TimeoutError`, the reason of the caller's
 * signal, or what a provider of credentials throws.
 */
export async function exchange(
  connection: Connection,
  request: Request,
  options: CallOptions = {},
): Promise<Answer> {
  const { idempotencyKey, ...given } = checked(options);
  const call = { ...connection, ...given };
  const headers = {
    ...connection.headers,
    ...given.headers,
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  const [first] = request.methods;
  const facts = { method: first?.name ?? "", id: String(request.ids[0] ?? "") };
  const mayRepeat =
    idempotencyKey !== undefined || request.methods.every(({ effect }) => effect !== "create");
  const sensitive = request.methods.flatMap((method) => method.sensitive ?? []);
  return retried<Answer>(
    call,
    (attempts, limitMs) => {
      const now = { ...facts, attempts };
      const attempt = (more?: Readonly<Record<string, string>>) =>
        send(call, { ...request, headers: { ...headers, ...more } }, now, limitMs);
      return connection.observe?.({ sensitive }, request.text, now, attempt) ?? attempt();
    },
    (end) => (mayRepeat ? isTemporary(end) : isUndone(end)),
  );
}

/** Sends once. Gives the failure where no answer came; throws what sending again would not mend. */
async function send(
  { carry, url, signal }: Connection & CallOptions,
  message: OutgoingMessage,
  facts: { readonly method: string; readonly id: string; readonly attempts: number },
  limitMs: number,
): Promise<Answer | CallError> {
  try {
    const carried = await limited(limitMs, signal, (ended) => carry(message, ended));
    return answerOf(facts, message.ids, carried, carried.body);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CredentialsFailed) throw cause.cause;
    const [name, what] = cause ? ["NetworkError", "got no answer"] : ["TimeoutError", "took too long"];
    return new CallError(name, `${facts.method} ${what}: ${url}`, facts, { cause });
  }
}

type End = Answer | CallError;

function isTemporary(end: End): boolean {
  const code = codeOf(end);
  const { status = 500 } = end;
  return code === undefined ? status === 429 || status >= 500 : temporaryCodes.includes(code);
}

/** Whether the service says that it has not begun. */
function isUndone(end: End): boolean {
  return codeOf(end) === rateLimitedCode || end.status === 429;
}

/** The code of the one error that answers the whole request. */
function codeOf(end: End): number | undefined {
  return "envelope" in end ? end.envelope?.error?.code : undefined;
}
