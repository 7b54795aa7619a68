import type { IdSource } from "../../store/ports/index.ts";

/** Pauses of sending after 1, 2, … failures of the mail server, ±20 %; the last one from then on. */
const pausesMs = [5_000, 30_000, 60_000, 120_000, 300_000] as const;
const jitterShare = 0.2;
const jitterSteps = 1_000;
const longestPauseMs = 300_000 * (1 + jitterShare);

/**
 * Lets mails pass while the mail server works. Once it fails, all mails pause; then the server is asked, and one mail
 * tries it before the others follow.
 */
export interface ServerGate {
  /** How many mails may be under way. */
  places(): number;
  /** Until when all mails pause; undefined while they do not. */
  pausedUntil(): number | undefined;
  /** The server answers again: one mail may try it. */
  tryOne(): void;
  /** The server took a mail, or refused that one. */
  worked(): void;
  /** The server failed. Gives the end of the pause. */
  failed(nowMs: number): number;
  /** The clock was set back: no pause is longer than the longest. */
  setBack(nowMs: number): void;
}

export function createServerGate(ids: IdSource, mailsAtOnce: number): ServerGate {
  let state: { readonly kind: "open" | "trying" } | { readonly kind: "closed"; readonly untilMs: number } = {
    kind: "open",
  };
  let failures = 0;

  return {
    places: () => ({ open: mailsAtOnce, trying: 1, closed: 0 })[state.kind],
    pausedUntil: () => (state.kind === "closed" ? state.untilMs : undefined),
    tryOne() {
      state = { kind: "trying" };
    },
    worked() {
      state = { kind: "open" };
      failures = 0;
    },
    failed(nowMs) {
      // Several mails that were under way tell of one failure.
      if (state.kind === "closed" && nowMs < state.untilMs) return state.untilMs;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? longestPauseMs;
      failures += 1;
      const factor = 1 - jitterShare + (2 * jitterShare * ids.integer(jitterSteps + 1)) / jitterSteps;
      const untilMs = nowMs + Math.round(pauseMs * factor);
      state = { kind: "closed", untilMs };
      return untilMs;
    },
    setBack(nowMs) {
      if (state.kind === "closed" && state.untilMs - nowMs > longestPauseMs)
        state = { kind: "closed", untilMs: nowMs };
    },
  };
}
