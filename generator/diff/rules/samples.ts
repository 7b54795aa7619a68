/** Definitions that the examples of rules are made of, so that each shows little more than what it is about. */

/** `BookService.LendBook` with some of its keys said otherwise: each line is a key with what belongs to it. */
export function lendBook(...lines: readonly string[]): string {
  return `methods:\n  BookService.LendBook:\n${indented(merged(usual, lines), 4)}\n`;
}

const usual = [
  "doc: Lends a book.",
  'section: "2"',
  "effect: create",
  "auth: [credential, signature]",
  "payload: LoanRequest",
  "result: Loan",
];

/** The error `OVERDUE` with some of its keys said otherwise. */
export function overdue(...lines: readonly string[]): string {
  return `errors:\n  OVERDUE:\n${indented(merged(usualError, lines), 4)}\n`;
}

const usualError = [
  "doc: A book was not brought back.",
  'section: "3"',
  "message: Bring it back first",
  "condition: The reader has a book for too long.",
  "action: Bring it back.",
  "httpStatus: 409",
  "rpcCode: -32020",
];

/** A type of this name with these fields. */
export function objectType(name: string, doc: string, fields: string): string {
  const [own, groups] = splitGroups(fields);
  const parts = [`  ${name}:`, `    doc: ${doc}`, '    section: "2"', "    fields:", indented(own, 6)];
  return `types:\n${[...parts, ...(groups === "" ? [] : [indented(groups, 4)])].join("\n")}\n`;
}

export const opened = "open: true\n";

/** An enum of this name; its values may follow `opened`. */
export function enumType(name: string, doc: string, values: string): string {
  const [own, open] = values.startsWith(opened)
    ? [values.slice(opened.length), `    ${opened}`]
    : [values, ""];
  return `types:\n  ${name}:\n    doc: ${doc}\n    section: "2"\n${open}    enum:\n${indented(own, 6)}\n`;
}

/** Keys of the object itself stand after the fields. */
function splitGroups(fields: string): readonly [string, string] {
  const at = fields.search(/^(?:atLeastOneOf|exactlyOneOf):/m);
  return at === -1 ? [fields, ""] : [fields.slice(0, at).trimEnd(), fields.slice(at)];
}

function merged(lines: readonly string[], others: readonly string[]): string {
  const keys = new Map(lines.map((line) => [keyOf(line), line]));
  for (const line of others) keys.set(keyOf(line), line);
  return [...keys.values()].join("\n");
}

function keyOf(line: string): string {
  return line.slice(0, line.indexOf(":"));
}

export function indented(text: string, width: number): string {
  return text.replaceAll(/^(?=.)/gm, " ".repeat(width));
}
