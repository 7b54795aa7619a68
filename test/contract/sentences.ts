import type { Section } from "./document.ts";

/** The sentences of a section; for a table, each row with ` | ` between its cells. */
export function sentencesOf({ tables, paragraphs, items }: Section): readonly string[] {
  const rows = tables.flatMap((table) => table.rows.map((row) => row.join(" | ")));
  const sentences = [...paragraphs, ...items].flatMap((text) => text.split(/(?<=\.)\s+(?=[A-Z`])/));
  return [...rows, ...sentences];
}

/** Sentences about what the document leaves open bind nobody, nor do lines that only introduce the next. */
export function isSilent(sentence: string): boolean {
  return !sentence.includes(" | ") && /: not shown(?: \(.*\))?\.$|: none listed\.$|:$/.test(sentence);
}

/** Words by which a sentence binds, whatever else it is. */
export const binding =
  /\b(?:must|shall|only|required|never|always|rejects?|refuses?|exactly|at least|at most)\b/i;
