import type { Finding } from "../response/finding.ts";
import type { Level } from "../suite/suite.ts";

/** The case that fails where the preflight ended the run. */
export const contactId = "(endpoint)/contact";

/** Why cases were skipped after the run was interrupted. */
export const interrupted = "the run was interrupted";

/** How a case came out. */
export interface Outcome {
  readonly id: string;
  readonly method: string;
  readonly title: string;
  readonly level: Level;
  readonly origin: readonly string[];
  readonly rule?: string;
  /** `broken`: the case itself was wrong, which says nothing about the service. */
  readonly status: "passed" | "failed" | "skipped" | "broken";
  /** Why it was skipped or is broken. */
  readonly reason?: string;
  /** The findings that count at the level of the run. */
  readonly findings: readonly Finding[];
  /** The requests and responses, where there are findings. */
  readonly exchanges: readonly Exchange[];
  /** For a fault of every answer: the cases that saw it. */
  readonly seenIn?: readonly string[];
  /** The argument of `--replay` that shows the failure once more. */
  readonly replay?: string;
  /** Milliseconds since the run began. */
  readonly startedMs: number;
  readonly elapsedMs: number;
}

export interface Exchange {
  /** With a comment that says what it is for, where it is one of several steps. Without credentials: see `curlPreparation`. */
  readonly curl: string;
  /** Status line and body, or why there was none. */
  readonly answer: string;
}
