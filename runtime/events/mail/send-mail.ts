import { messageOf } from "../../contract/index.ts";
import { MailError } from "./mail-error.ts";
import {
  UnavailableError,
  type Changes,
  type Clock,
  type IdSource,
  type Mailer,
  type MailMessage,
  type OutboxMailRecord,
  type Sealer,
  type Writes,
} from "../../store/ports/index.ts";
import type { MailRenderers } from "../../pipeline/handler-context.ts";
import type { FailedAttempt, MadeAttempt, MailOutcome, MailResult } from "../model/attempt-outcome.ts";
import { retryDelayMs } from "../model/retry-schedule.ts";
import { acceptLimitMs } from "./mailers.ts";
import { renderMail } from "./render-mail.ts";
import { changeClaimedMail } from "./stored-mails.ts";
import { mailAttempts, formerAttemptsOfMail } from "../../store/tables/index.ts";

/** An attempt ends then, unless the mail was handed over. */
export const attemptLimitMs = 30_000;
/** A mail that the server may have taken goes on in the schedule where it waits for half an hour (RFC 5321, section 4.5.4.1). */
const handedOverFailures = 3;
/** The latest attempts of a mail that are kept: while the server cannot be reached, they are many. */
const attemptsKept = 20;
const causeMax = 300;
/** How long operators see that a mail was sent. */
const sentKeptDays = 7;
/** How long a mail that names no institution is tried every day, once the schedule has ended. */
const nobodyKeptDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;
const postponedMs = 5_000;

export interface AttemptOptions {
  readonly mailer: Mailer;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly renderers: MailRenderers;
}

/**
 * Tries a mail once. Never rejects. `ended` ends the attempt. Calls `handedOver` once the server was sent all of it.
 * The server may then take minutes to answer, and giving up would send the mail twice.
 */
export async function attemptMail(
  mail: OutboxMailRecord,
  ended: AbortController,
  { mailer, sealer, clock, renderers }: AttemptOptions,
  handedOver: () => void = () => undefined,
): Promise<MailOutcome> {
  const startedAt = clock.now();
  const beginMs = clock.elapsedMs();
  const made = (): MadeAttempt => ({
    startedAt,
    durationMs: Math.max(Math.round(clock.elapsedMs() - beginMs), 0),
  });
  /** Must not reach the log: the mail, or its draft before it is rendered. */
  let hidden: MailMessage | undefined;
  let isHandedOver = false;
  const timeUp = Promise.withResolvers<never>();
  const limitTo = (ms: number): (() => void) =>
    clock.schedule(ms, () => {
      timeUp.reject(new MailError("timeout", `it was not accepted within ${ms / 1_000} s`));
      ended.abort();
    });
  let cancel = limitTo(attemptLimitMs);
  const attempt = {
    signal: ended.signal,
    handedOver() {
      if (isHandedOver || ended.signal.aborted) return;
      isHandedOver = true;
      cancel();
      cancel = limitTo(acceptLimitMs);
      handedOver();
    },
  };
  try {
    const draftJson = sealer.open(mail.messageSealed);
    hidden = { to: "", subject: "", text: draftJson.replaceAll(/["{}[\]:,]+/g, " ") };
    const message = await renderMail(draftJson, renderers);
    hidden = message;
    await Promise.race([mailer.send(message, attempt), timeUp.promise]);
    return { kind: "sent", ...made() };
  } catch (error) {
    if (error instanceof UnavailableError) return { kind: "postponed", error };
    const failure = error instanceof MailError ? error.failure : "unsendable";
    return { kind: "failed", failure, ...toldOf(error, hidden), isHandedOver, ...made() };
  } finally {
    cancel();
  }
}

/** What operators read of a failure, and what the log has. */
export function toldOf(error: unknown, message?: MailMessage): Pick<FailedAttempt, "detail" | "cause"> {
  return {
    detail: error instanceof MailError ? error.word : "unsendable",
    cause: withoutMail(messageOf(error), message),
  };
}

/**
 * What a server or this program says of a failure. Servers quote addresses, and some a part of the mail: words with an
 * @, the name before it, and longer words of the mail are left out.
 */
function withoutMail(text: string, message: MailMessage | undefined): string {
  const hidden = new Set(wordsOf(`${message?.subject ?? ""} ${message?.text ?? ""}`));
  const name = message?.to.slice(0, message.to.lastIndexOf("@")).toLowerCase();
  const isHidden = (word: string): boolean => word === name || (word.length >= 6 && hidden.has(word));
  return text
    .split(/\s+/)
    .map((word) => (word.includes("@") || wordsOf(word).some(isHidden) ? "…" : word))
    .join(" ")
    .slice(0, causeMax);
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => [word, ...(word.match(/[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u) ?? [])])
    .filter((word) => word !== "");
}

export interface ChangesOptions {
  readonly nowMs: number;
  /** Where all mails pause: until when. */
  readonly pausedUntil: number | undefined;
  readonly ids: IdSource;
  readonly sealer: Sealer;
}

/**
 * What a mail becomes by an outcome. An attempt while the server cannot be reached counts for nothing: the mail goes
 * on once the pause of all mails ends. Others count, up to the end of the schedule. Only the record of a sent mail is
 * kept.
 */
export function changesAfter(
  mail: OutboxMailRecord,
  outcome: MailOutcome,
  { nowMs, pausedUntil, ids, sealer }: ChangesOptions,
): Changes<OutboxMailRecord> {
  const released = { claimedBy: undefined };
  if (outcome.kind === "postponed") return { ...released, dueAt: nowMs + postponedMs };
  const attempted = { ...released, attempts: mail.attempts + 1 };
  if (outcome.kind === "sent") {
    const gone = {
      messageSealed: sealer.seal(""),
      dueAt: undefined,
      expiresAt: nowMs + sentKeptDays * dayMs,
    };
    return { ...attempted, ...gone, state: "SENT", sentAt: nowMs };
  }
  if (outcome.failure === "unreachable") return { ...attempted, dueAt: pausedUntil ?? nowMs };
  const isMaybeTaken = outcome.isHandedOver && ["timeout", "server"].includes(outcome.failure);
  const failures = Math.max(mail.failures + 1, isMaybeTaken ? handedOverFailures : 0);
  const delayMs = retryDelayMs(failures, ids);
  if (delayMs !== undefined) return { ...attempted, failures, dueAt: nowMs + delayMs };
  if (mail.institutionId !== undefined)
    return { ...attempted, failures, state: "FAILED", failedAt: nowMs, dueAt: undefined };
  // No operator can send it again or remove it.
  const expiresAt = mail.expiresAt ?? nowMs + nobodyKeptDays * dayMs;
  return { ...attempted, failures, dueAt: nowMs + dayMs, expiresAt };
}

/** Stores an outcome while the claim holds: where it ended, another process has taken over, or the mail was removed. */
export async function recordMail(tx: Writes, { mail, outcome, changes }: MailResult): Promise<void> {
  const { id, attempts, claimedBy = "" } = mail;
  const isHeld = await changeClaimedMail(tx, { id, attempts, claimedBy, changes });
  if (!isHeld || outcome.kind === "postponed") return;
  const { startedAt, durationMs } = outcome;
  const failed = outcome.kind === "failed" && { failure: outcome.failure, detail: outcome.detail };
  const number = attempts + 1;
  await tx.insert(mailAttempts, { mailId: id, number, startedAt, durationMs, ...failed });
  if (number > attemptsKept) await tx.remove(formerAttemptsOfMail, id, number - attemptsKept);
}
