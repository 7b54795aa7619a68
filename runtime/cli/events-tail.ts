import { setTimeout as sleep } from "node:timers/promises";
import pc from "picocolors";
import { openReader } from "../server/compose.ts";
import { loadConfig } from "../server/config.ts";
import { createTail, type TailLine } from "../delivery/index.ts";

interface TailOptions {
  readonly json?: boolean;
  readonly failed?: boolean;
  readonly intervalMs: string;
}

/** `events tail`: follows deliveries in a terminal, while the service runs. Ends with Ctrl-C. */
export async function tailEvents({ json, failed, intervalMs }: TailOptions): Promise<void> {
  const store = await openReader(loadConfig(process.env));
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  try {
    const tail = createTail(store);
    while (!ended.signal.aborted) {
      for (const line of await tail.next()) {
        if (failed && line.attempt?.failure === undefined) continue;
        console.log(json ? JSON.stringify(recordOf(line)) : textOf(line));
      }
      await sleep(Number(intervalMs) || 500, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  } finally {
    await store.close();
  }
}

function recordOf({ delivery, attempt }: TailLine): object {
  const { id, subscriptionId, eventId, eventName, accountNumbers, sequence, state, dueAt } = delivery;
  return {
    deliveryId: id,
    subscriptionId,
    eventId,
    eventName,
    accountNumbers,
    sequence,
    state,
    ...(state === "PENDING" && dueAt !== undefined ? { nextAttempt: new Date(dueAt).toISOString() } : {}),
    ...(attempt === undefined ? {} : { attempt: { ...attempt, deliveryId: undefined, response: undefined } }),
  };
}

function textOf({ delivery, attempt }: TailLine): string {
  const { id, eventName, accountNumbers, sequence, subscriptionId, state, dueAt } = delivery;
  const at = new Date(attempt?.startedAt ?? delivery.createdAt).toISOString().slice(11, 23);
  const what = `${eventName} ${accountNumbers[0] ?? "-"} #${sequence} → ${subscriptionId}`;
  if (attempt === undefined) return `${pc.dim(at)} ${pc.cyan(state.padEnd(9))} ${what} ${pc.dim(id)}`;
  const isDelivered = attempt.failure === undefined;
  const outcome = isDelivered ? pc.green("DELIVERED") : pc.red(state === "DEAD" ? "DEAD     " : "FAILED   ");
  const reason = isDelivered ? String(attempt.status) : `${attempt.failure}: ${attempt.detail ?? ""}`;
  const next =
    state === "PENDING" && dueAt !== undefined ? `, next ${new Date(dueAt).toISOString().slice(0, 19)}Z` : "";
  return (
    `${pc.dim(at)} ${outcome} ${what} ` +
    `${reason} ${pc.dim(`(attempt ${attempt.number}, ${attempt.durationMs} ms${next}) ${id}`)}`
  );
}
