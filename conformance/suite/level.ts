/**
 * The ground of a check: `document` is what the interface document itself states, `decisions` also what was decided
 * where it is silent, `strict` also good manners that neither asks for.
 */
export const levels = ["document", "decisions", "strict"] as const;

export type Level = (typeof levels)[number];

/** Where something is stated. */
export interface SpecReference {
  /** Section of the document. */
  readonly section?: string;
  /** Decisions that settle what the document leaves open. */
  readonly decisions: readonly string[];
}

/** The higher of two levels: what both ask for counts from there on. */
export function atLeast(level: Level, least: Level): Level {
  return isWithin(level, least) ? least : level;
}

/** Whether what counts at a level counts in a run at another. */
export function isWithin(level: Level, most: Level): boolean {
  return levels.indexOf(level) <= levels.indexOf(most);
}
