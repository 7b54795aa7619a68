import { setTimeout as sleep } from "node:timers/promises";
import pc from "picocolors";
import { terminalText } from "../log/terminal-text.ts";
import { omitUndefined } from "../../contract/index.ts";
import { loadConfig } from "../config/index.ts";
import { openReader, type Application, type TopicWords } from "../../server/index.ts";
import { createTail, type TailLine } from "../../events/index.ts";
import { UsageError } from "./startup-error.ts";

interface TailOptions {
  readonly json?: boolean;
  readonly failed?: boolean;
  readonly intervalMs: string;
  /** A time, or how long ago: `2026-03-02T11:00Z`, `90s`, `15m`, `24h`, `7d`. */
  readonly since?: string;
  /** `name=value`, several of them all hold. */
  readonly filter?: readonly string[];
}

/** `events tail`: follows deliveries in a terminal, while the service runs. Ends with Ctrl-C. */
export async function tailEvents(
  application: Application,
  { json, failed, intervalMs, since, filter }: TailOptions,
): Promise<void> {
  const sinceMs = since === undefined ? undefined : timeOf(since, Date.now());
  const isWanted = matcherOf(filter ?? [], application.topics);
  if (!/^[1-9]\d{0,6}$/.test(intervalMs))
    throw new UsageError(`--interval-ms ${intervalMs} is no number of milliseconds, such as 500`);
  const store = await openReader(application, loadConfig(application, process.env));
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  try {
    const tail = createTail(store, sinceMs);
    while (!ended.signal.aborted) {
      for (const line of await tail.next()) {
        if (failed && line.attempt?.failure === undefined) continue;
        if (!isWanted(line)) continue;
        console.log(json ? JSON.stringify(recordOf(line, application.topics)) : textOf(line));
      }
      await sleep(Number(intervalMs), undefined, { signal: ended.signal }).catch(() => undefined);
    }
  } finally {
    await store.close();
  }
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws UsageError that says how a time is written. */
export function timeOf(text: string, nowMs: number): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time = count === "" ? Date.parse(text) : nowMs - Number(count) * (unitsMs[unit] ?? 0);
  if (Number.isNaN(time)) {
    throw new UsageError(`--since ${text} is no time: write 90s, 15m, 24h, 7d or 2026-03-02T11:00:00Z`);
  }
  return time;
}

/** What topics are called, where the application does not say. */
export const topicWords: TopicWords = { one: "topic", all: "topics" };

/** The fields that `--filter` knows. `*` at the end of a value stands for any rest. */
const filterable = ({
  one,
}: TopicWords): Readonly<Record<string, (line: TailLine) => readonly string[]>> => ({
  event: ({ delivery }) => [delivery.eventName],
  [one]: ({ delivery }) => delivery.topics,
  subscription: ({ delivery }) => [delivery.subscriptionId],
  institution: ({ delivery }) => [delivery.institutionId],
  state: ({ delivery }) => [delivery.state],
  failure: ({ attempt }) => (attempt?.failure === undefined ? [] : [attempt.failure]),
});

/** @throws UsageError that names what may be filtered by. */
export function matcherOf(filters: readonly string[], words = topicWords): (line: TailLine) => boolean {
  const fields = filterable(words);
  const tests = filters.map((text) => {
    const at = text.indexOf("=");
    const read = fields[text.slice(0, at)];
    if (at < 1 || read === undefined) {
      throw new UsageError(
        `--filter ${text}: write <name>=<value>, name one of ${Object.keys(fields).join(", ")}`,
      );
    }
    const value = text.slice(at + 1);
    const fits = (found: string): boolean =>
      value.endsWith("*") ? found.startsWith(value.slice(0, -1)) : found === value;
    return (line: TailLine) => read(line).some(fits);
  });
  return (line) => tests.every((fits) => fits(line));
}

function recordOf({ delivery, attempt }: TailLine, { all } = topicWords): object {
  const { id, subscriptionId, eventId, eventName, topics, sequence, state, dueAt } = delivery;
  return omitUndefined({
    deliveryId: id,
    subscriptionId,
    eventId,
    eventName,
    [all]: topics,
    sequence,
    state,
    nextAttempt: state === "PENDING" && dueAt !== undefined ? new Date(dueAt).toISOString() : undefined,
    attempt: attempt === undefined ? undefined : { ...attempt, deliveryId: undefined, response: undefined },
  });
}

function textOf({ delivery, attempt }: TailLine): string {
  const { id, eventName, topics, sequence, subscriptionId, state, dueAt } = delivery;
  const at = new Date(attempt?.startedAt ?? delivery.createdAt).toISOString();
  const what = onOneLine(`${eventName} ${topics[0] ?? "-"} #${sequence} → ${subscriptionId}`);
  if (attempt === undefined) return `${pc.dim(at)} ${pc.cyan(state.padEnd(9))} ${what} ${pc.dim(id)}`;
  const isDelivered = attempt.failure === undefined;
  const outcome = isDelivered ? pc.green("DELIVERED") : pc.red(state === "DEAD" ? "DEAD     " : "FAILED   ");
  const reason = isDelivered
    ? String(attempt.status)
    : onOneLine(`${attempt.failure}: ${attempt.detail ?? ""}`);
  const next =
    state === "PENDING" && dueAt !== undefined ? `, next ${new Date(dueAt).toISOString().slice(0, 19)}Z` : "";
  return (
    `${pc.dim(at)} ${outcome} ${what} ` +
    `${reason} ${pc.dim(`(attempt ${attempt.number}, ${attempt.durationMs} ms${next}) ${id}`)}`
  );
}

/** What a subscriber answers begins no line of its own. */
function onOneLine(text: string): string {
  return terminalText(text).replaceAll("\n", String.raw`\n`);
}
