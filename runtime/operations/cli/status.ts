import { loadConfig } from "../config/index.ts";
import { openReader, type Application } from "../../server/index.ts";
import { readWholeBacklog, waitingKinds, type Backlog } from "../../events/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import type { Reads } from "../../store/ports/index.ts";
import { systemClock } from "../system/index.ts";
import { mailsOfNobody, attemptsOfMail } from "../../store/tables/index.ts";

const words: Readonly<Record<keyof Backlog, string>> = {
  events: "events on their way to no subscriber yet",
  laneEvents: "events on their way to some subscribers of a user",
  usersAtLimit: "users at their limit of waiting deliveries",
  PENDING: "deliveries to be sent",
  WAITING: "deliveries behind an earlier one",
  HELD: "deliveries of disabled subscriptions",
  DEAD: "dead letters",
  mails: "mails to be sent",
  failedMails: "failed mails",
};

/** `status`: prints what waits, and since when, beside a service that may be running. */
export async function printStatus(
  application: Application,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const store = await openReader(application, loadConfig(application, process.env));
  try {
    const backlog = await readWholeBacklog(store);
    const mails = await store.read(readMailsOfNobody);
    const text = json
      ? JSON.stringify({ ...recordOf(backlog), mailsOfNobody: mails })
      : [textOf(backlog, systemClock.now()), ...mailLines(mails)].join("\n");
    console.log(text);
  } finally {
    await store.close();
  }
}

/** A mail that names no institution: no operator sees it. */
interface MailOfNobody {
  readonly mailId: string;
  readonly written: string;
  readonly attempts: number;
  /** A word for the last attempt. */
  readonly failure?: string;
  /** When it is removed: it is tried every day until then. */
  readonly removed?: string;
}

const mailsListedMax = 100;

async function readMailsOfNobody(view: Reads): Promise<readonly MailOfNobody[]> {
  const mails = await view.many(mailsOfNobody, mailsListedMax);
  return Promise.all(
    mails.map(async ({ id, createdAt, attempts, expiresAt }) => {
      const failure = (await view.many(attemptsOfMail, id)).at(-1)?.failure;
      const written = new Date(createdAt).toISOString();
      const removed = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
      return { mailId: id, written, attempts, ...omitUndefined({ failure, removed }) };
    }),
  );
}

function mailLines(mails: readonly MailOfNobody[]): readonly string[] {
  if (mails.length === 0) return [];
  return [
    "",
    "Mails of an earlier release that name no institution, and so no operator sees:",
    ...mails.map(({ mailId, written, attempts, failure, removed }) => {
      const last = failure === undefined ? "" : `, the last: ${failure}`;
      const end = removed === undefined ? "" : `; tried every day until it is removed at ${removed}`;
      return `  ${mailId}  written ${written}, attempts: ${attempts}${last}${end}`;
    }),
  ];
}

function recordOf(backlog: Backlog): object {
  return Object.fromEntries(
    waitingKinds.map((kind) => {
      const { count, oldestAt } = backlog[kind];
      return [kind, { count, ...(oldestAt !== undefined && { oldest: new Date(oldestAt).toISOString() }) }];
    }),
  );
}

function textOf(backlog: Backlog, nowMs: number): string {
  const width = Math.max(...waitingKinds.map((kind) => String(backlog[kind].count).length));
  const lines = waitingKinds.map((kind) => {
    const { count, oldestAt } = backlog[kind];
    const since = oldestAt === undefined ? "" : `, the oldest for ${durationOf(nowMs - oldestAt)}`;
    return `${String(count).padStart(width)}  ${words[kind]}${since}`;
  });
  return lines.join("\n");
}

/** In the largest unit that gives two digits or more, or seconds. */
function durationOf(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1_000), 0);
  const [size, unit] = (
    [
      [86_400, "days"],
      [3_600, "hours"],
      [60, "minutes"],
    ] as const
  ).find(([each]) => seconds >= 2 * each) ?? [1, "seconds"];
  return `${Math.floor(seconds / size)} ${unit}`;
}
