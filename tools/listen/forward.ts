import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../conformance/message-of.ts";
import type { EventLine } from "../mock/index.ts";

/** How one event was taken. */
export interface Forwarded {
  readonly isTaken: boolean;
  /** `200 in 12 ms`; or why there was no answer. */
  readonly outcome: string;
  readonly attempts: number;
}

/** The waits before an event that was not answered with 2xx is sent again, by the same id. */
const usualWaitsMs = [1_000, 2_000, 4_000];
const answerMsMax = 10_000;

/** Posts an event to a receiver. Reports each failed attempt to `onFailure`. */
export async function forward(
  { headers, body }: EventLine,
  to: URL,
  signal: AbortSignal,
  onFailure: (outcome: string, againInMs: number) => void,
  waitsMs: readonly number[] = usualWaitsMs,
): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const { isTaken, outcome } = await attempt(to, headers, body, signal);
    const waitMs = waitsMs[attempts - 1];
    if (isTaken || waitMs === undefined || signal.aborted) return { isTaken, outcome, attempts };
    onFailure(outcome, waitMs);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

async function attempt(
  to: URL,
  headers: EventLine["headers"],
  body: string,
  signal: AbortSignal,
): Promise<Omit<Forwarded, "attempts">> {
  const startedAt = performance.now();
  try {
    const response = await fetch(to, {
      method: "POST",
      headers: { ...headers, "user-agent": "ledger-rpc listen" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    });
    await response.body?.cancel();
    const elapsedMs = Math.round(performance.now() - startedAt);
    return { isTaken: response.ok, outcome: `${response.status} in ${elapsedMs} ms` };
  } catch (error) {
    return { isTaken: false, outcome: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${answerMsMax} ms`;
  return messageOf(error.cause ?? error);
}
