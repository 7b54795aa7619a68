import type { Level, SpecReference } from "../suite/level.ts";
import type { Suite } from "../suite/suite.ts";
import type { Reading } from "../values/index.ts";

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

/** The members that a finding may have beside those that every one has. */
type More = Pick<Finding, "origin" | "ofEveryAnswer">;

/** Of a finding on the answer as such. */
export const ofEvery = { ofEveryAnswer: true } as const;

export function finding(
  check: string,
  level: Level,
  expected: string,
  found: string,
  more: More = {},
): Finding {
  return { check, level, expected, found, ...more };
}

const shownMax = 300;

/** A JSON value as a report shows it. */
export function formatValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}…`;
}

/** Status and first words of an answer that could not be read otherwise. */
export function startOf({ status, text }: { readonly status: number; readonly text: string }): string {
  return `HTTP ${status} ${text.slice(0, 200)}`;
}

export function originOf({ section, decisions }: SpecReference): readonly string[] {
  return [...(section === undefined ? [] : [section]), ...decisions];
}

/** The sources of a rule of the spec; empty if the spec has no such rule. */
export function ruleOrigin({ rules }: Pick<Suite, "rules">, name: string): readonly string[] {
  const rule = rules[name];
  return rule === undefined ? [] : originOf(rule);
}

/** The context that answers are checked in. */
export interface CheckContext {
  readonly suite: Suite;
  readonly settings: ServiceSettings;
  readonly reading: Reading;
}

/** The settings of a service where the decisions leave it a choice. */
export interface ServiceSettings {
  /** HTTP status of errors of parsed envelopes: 200, or the code's own (D-02). */
  readonly httpStatus: "ok" | "mapped";
}
