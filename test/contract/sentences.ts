import type { Section } from "./document.ts";

/** What a section says, sentence by sentence; of a table each row, its cells with ` | ` between them. */
export function sentencesOf({ tables, paragraphs, items }: Section): readonly string[] {
  const rows = tables.flatMap((table) => table.rows.map((row) => row.join(" | ")));
  const sentences = [...paragraphs, ...items].flatMap((text) => text.split(/(?<=\.)\s+(?=[A-Z`])/));
  return [...rows, ...sentences];
}

/** What the document leaves open binds nobody, nor does a line that only leads over to what follows. */
export function isSilent(sentence: string): boolean {
  return !sentence.includes(" | ") && /: not shown(?: \(.*\))?\.$|: none listed\.$|:$/.test(sentence);
}

/** Words by which a sentence binds, whatever else it is. */
export const binding =
  /\b(?:must|shall|only|required|never|always|rejects?|refuses?|exactly|at least|at most)\b/i;
