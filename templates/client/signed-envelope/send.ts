import { type Answer, answerOf } from "./answer.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { CallError, type CallFacts } from "./errors.ts";
import { path, revision } from "./interface.ts";
import { limited } from "../limited.ts";
import type { Method } from "./method.ts";

/** Signs and sends once. Gives the failure where no answer came; throws what sending again would not mend. */
export type Send = (facts: CallFacts, limitMs: number) => Promise<Answer | CallError>;

/** Sends one payload's text: the bytes that are signed are the bytes that are sent. */
export function sender(call: Connection & CallOptions, method: Method, text: string): Send {
  const url = call.baseUrl + (method.transport.path ?? path);
  let signature: string | undefined;
  return (facts, limitMs) => {
    if (!method.transport.signsOnce) signature = undefined;
    const attempt = (more?: Readonly<Record<string, string>>) =>
      limited(limitMs, call.signal, async (signal) => {
        signature ??= await call.sign(text);
        const request = method.transport.request(call, { ...facts, text, signature });
        const response = await (call.fetch ?? fetch)(url, {
          method: "POST",
          redirect: "manual",
          signal,
          body: request.body,
          headers: {
            ...call.headers,
            ...more,
            ...request.headers,
            "content-type": "application/json",
            "x-interface-revision": revision,
          },
        });
        return answerOf(facts, method, response, await (call.read?.(response) ?? response.text()));
      }).catch((cause: unknown) => {
        call.signal?.throwIfAborted();
        if (cause && !signature) throw cause;
        const text = `${method.name} ${cause ? "got no answer" : "took too long"}: ${url}`;
        return new CallError(cause ? "NetworkError" : "TimeoutError", text, facts, { cause });
      });
    return call.watch?.(method, text, facts, attempt) ?? attempt();
  };
}
