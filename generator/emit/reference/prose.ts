import type { Documented } from "../../model/service-model.ts";
import type { Links } from "./links.ts";

/** A run of text; `code` where the spec writes it between backquotes. */
export interface TextRun {
  readonly text: string;
  readonly code: boolean;
}

/** Plain prose as runs of text. Nothing in it is markup but backquotes. */
export function prose(text: string): readonly TextRun[] {
  return text
    .trim()
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: part, code: index % 2 === 1 }))
    .filter((run) => run.text !== "");
}

/** The first sentence, for tables. */
export function firstSentence(text: string): string {
  const [first = ""] = text.trim().split(/(?<=[.!?])\s+(?=[A-Z])/);
  return first;
}

export interface DecisionLink {
  readonly id: string;
  readonly href: string | undefined;
}

/** The notes on a documented part: its origin, its first revision, and its removal. */
export interface Remarks {
  readonly doc: readonly TextRun[];
  readonly section: string | undefined;
  readonly decisions: readonly DecisionLink[];
  readonly since: string | undefined;
  readonly deprecated: string | undefined;
}

export function remarks(thing: Documented, links: Links, explained: ReadonlySet<string>): Remarks {
  return {
    doc: prose(thing.doc),
    section: thing.section,
    decisions: thing.decisions.map((id) => ({
      id,
      href: explained.has(id) ? links.decision(id) : undefined,
    })),
    since: thing.since,
    deprecated: thing.deprecated,
  };
}
