/**
 * The text of a JSON file: members in the order given. Its lines are broken by the formatter, like those of every
 * file, which puts on one line what fits there; but the document itself has a member a line.
 */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value).replace(/^\{(?!\})/, "{\n")}\n`;
}
