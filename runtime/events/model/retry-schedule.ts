import type { IdSource } from "../../store/ports/index.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays before the attempts after the first. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** An endpoint that has been failing for so long: its owner gets a mail, then its subscription is disabled. */
export const notifyOwnerAfterMs = 24 * hour;
export const disabledAfterMs = 120 * hour;

const jitterShare = 0.2;
const jitterSteps = 1_000_000;
/** A receiver may ask for more time than the schedule gives, up to this. */
export const retryAfterMsMax = 24 * hour;

/** How long the attempts of one delivery can last: the schedule with its largest jitter, and a day more. */
export const retryWindowMs =
  retryDelaysMs.reduce((sum, delay) => sum + delay, 0) * (1 + jitterShare) + 24 * hour;

/**
 * The delay before the next attempt after so many failures, ±20 %; undefined after the last attempt. `retryAfterMs`,
 * which the receiver asked for, prolongs the delay and never shortens it.
 */
export function retryDelayMs(failures: number, ids: IdSource, retryAfterMs = 0): number | undefined {
  const delay = retryDelaysMs[failures - 1];
  if (delay === undefined) return undefined;
  const factor = 1 - jitterShare + (2 * jitterShare * ids.integer(jitterSteps + 1)) / jitterSteps;
  return Math.max(Math.round(delay * factor), retryAfterMs);
}

/** The longest delay of the schedule after so many failures, 24 hours after the last one. */
export function longestDelayMs(failures: number): number {
  return (retryDelaysMs[Math.max(failures, 1) - 1] ?? 24 * hour) * (1 + jitterShare);
}

/** `Retry-After` as a delay from now, a day at most: seconds, or an HTTP date (RFC 9110 §10.2.3). Undefined if it is neither. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^[0-9]{1,10}$/.test(trimmed)) return Math.min(Number(trimmed) * second, retryAfterMsMax);
  if (!/^[A-Za-z]{3,9}[, ]/.test(trimmed)) return undefined;
  const dateMs = Date.parse(trimmed.endsWith("GMT") ? trimmed : `${trimmed} GMT`);
  return Number.isNaN(dateMs) ? undefined : Math.min(Math.max(dateMs - nowMs, 0), retryAfterMsMax);
}
