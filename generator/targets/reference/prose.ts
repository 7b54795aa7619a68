import type { Documented } from "../../model/service-model.ts";
import type { Links } from "./links.ts";

/** A run of text; `code` where the spec writes it between backquotes. */
export interface TextRun {
  readonly text: string;
  readonly code: boolean;
}

/** Where a sentence names the decision that it rests on: readers see what was decided. */
const decisionNumbers = / \(D-\d+(?:, D-\d+)*\)/g;

/** Plain prose as runs of text. Nothing in it is markup but backquotes. */
export function prose(text: string): readonly TextRun[] {
  return text
    .replaceAll(decisionNumbers, "")
    .trim()
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: closed(part), code: index % 2 === 1 }))
    .filter((run) => run.text !== "");
}

/** A text that leaves the direction of what follows it as it is: what turns the line in it ends with it. */
function closed(text: string): string {
  const more = (open: RegExp, close: RegExp): number =>
    Math.max(0, (text.match(open)?.length ?? 0) - (text.match(close)?.length ?? 0));
  return (
    text +
    "\u202C".repeat(more(/[\u202A\u202B\u202D\u202E]/gu, /\u202C/gu)) +
    "\u2069".repeat(more(/[\u2066-\u2068]/gu, /\u2069/gu))
  );
}

/** The first sentence, for tables. */
export function firstSentence(text: string): string {
  const [first = ""] = text.trim().split(/(?<=[.!?])\s+(?=[A-Z])/);
  return first;
}

/** A link to what settles an open question. Readers see words, not the number of the decision. */
export interface Clarification {
  readonly words: string;
  readonly href: string;
}

/** The notes on a documented part: its origin, its first revision, and its removal. */
export interface Remarks {
  readonly doc: readonly TextRun[];
  readonly section: string | undefined;
  readonly clarifications: readonly Clarification[];
  readonly since: string | undefined;
  readonly deprecated: string | undefined;
}

export function remarks(thing: Documented, links: Links, explained: ReadonlySet<string>): Remarks {
  return {
    doc: prose(thing.doc),
    section: thing.section,
    clarifications: thing.decisions
      .filter((id) => explained.has(id))
      .map((id, at) => ({ words: at === 0 ? "clarified" : `(${at + 1})`, href: links.decision(id) })),
    since: thing.since,
    deprecated: thing.deprecated,
  };
}
