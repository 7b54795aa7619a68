/** How long this process holds a claim on a delivery. */
export interface Lease {
  /** Identifies the process in `claimedBy`. */
  readonly claimedBy: string;
  /** Length of a new claim. */
  readonly claimMs: number;
  /** An attempt does not begin if the claim ends sooner. */
  readonly remainingMsMin: number;
}

/** A claim outlasts the longest attempt by this: it also covers waiting in a queue and recording the result. */
const marginMs = 45_000;
/** The part of the margin that is kept for recording the result. */
const recordingMs = 5_000;

export function leaseOf(claimedBy: string, timeoutMs: number): Lease {
  return { claimedBy, claimMs: timeoutMs + marginMs, remainingMsMin: timeoutMs + recordingMs };
}
