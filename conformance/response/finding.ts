import type { Level } from "../suite/suite.ts";

/** One error of an answer. */
export interface Finding {
  /** Which check found it: `jsonrpc`, `id`, `schema`, … */
  readonly check: string;
  /** The level from which on it counts. */
  readonly level: Level;
  readonly expected: string;
  readonly found: string;
  /** Sections and decisions, beyond those of the case. */
  readonly origin?: readonly string[];
  /** It is about the answer as such, whatever was asked: it is reported once, not by each case that sees it. */
  readonly ofEveryAnswer?: true;
}

const shownMax = 300;

/** A JSON value as a report shows it. */
export function formatValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`;
}
