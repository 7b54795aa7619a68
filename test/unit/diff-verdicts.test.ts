import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { libraryWith } from "./diff-cases.ts";

/** What callers find of a change of one field: whether it breaks them. */
type Verdict = "breaks" | "holds";

const request = "LoanRequest";
const response = "Book";

const otherFields = {
  [request]: "",
  [response]: `
      - { name: id, type: string, doc: Identifier. }
      - { name: title, type: string, doc: Title. }
      - { name: genre, type: Genre, doc: Kind of book. }`,
};

/** The library with one more field, written so. */
function libraryOf(type: keyof typeof otherFields, field: string): ReturnType<typeof libraryWith> {
  const text = `types:
  ${type}:
    doc: A thing.
    section: "1"
    fields:${otherFields[type]}
      - { name: shelf, doc: Where it stands., ${field} }
`;
  return libraryWith(new Map([["change.yaml", text]]));
}

function callersFind(
  type: keyof typeof otherFields,
  old: string,
  recent: string,
): { verdict: Verdict; rules: string } {
  const changes = diffModels(libraryOf(type, old), libraryOf(type, recent));
  const isBreaking = changes.some(({ impacts }) =>
    impacts.some(({ party, severity }) => party === "callers" && severity === "breaking"),
  );
  return { verdict: isBreaking ? "breaks" : "holds", rules: changes.map(({ rule }) => rule).join(" ") };
}

test.for([
  // A bound that moves into the pattern, and out of it.
  [
    request,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^[^]{0,10}$"',
    "holds",
  ],
  [
    request,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^[^]{0,12}$"',
    "holds",
  ],
  [
    request,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^[^]{0,8}$"',
    "breaks",
  ],
  // A point takes no end of a line.
  [
    request,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^.{0,10}$"',
    "breaks",
  ],
  [
    response,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^.{0,10}$"',
    "holds",
  ],
  [
    response,
    "type: string, optional: true, maxLength: 10",
    'type: string, optional: true, pattern: "^[^]{0,12}$"',
    "breaks",
  ],
  [
    response,
    'type: string, optional: true, pattern: "^[^]{0,10}$"',
    "type: string, optional: true, maxLength: 10",
    "holds",
  ],
  [
    request,
    'type: string, optional: true, pattern: "^[A-Z]+$", minLength: 2',
    'type: string, optional: true, pattern: "^[A-Z]{2,}$"',
    "holds",
  ],
  [
    response,
    'type: string, optional: true, pattern: "^[A-Z]{3}$", maxLength: 5',
    'type: string, optional: true, pattern: "^[A-Z]{3}$"',
    "holds",
  ],
  // Numbers.
  [request, "type: integer, optional: true, minimum: 1", "type: integer, optional: true, above: 0", "holds"],
  [request, "type: integer, optional: true, above: 0", "type: integer, optional: true, minimum: 2", "breaks"],
  [request, "type: number, optional: true, minimum: 1", "type: number, optional: true, above: 1", "breaks"],
  [request, "type: number, optional: true, above: 1", "type: number, optional: true, minimum: 1", "holds"],
  [response, "type: number, optional: true, maximum: 9", "type: number, optional: true, below: 9", "holds"],
  [
    response,
    "type: integer, optional: true, maximum: 9",
    "type: integer, optional: true, below: 10",
    "holds",
  ],
  [
    request,
    "type: integer, optional: true, minimum: 1, maximum: 9",
    "type: integer, optional: true, minimum: 0, maximum: 9",
    "holds",
  ],
  [request, "type: integer, optional: true", "type: number, optional: true", "holds"],
  // Constants and lists.
  [request, "type: string, optional: true, const: A", "type: string, optional: true", "holds"],
  [
    request,
    "type: string, optional: true, const: A",
    'type: string, optional: true, pattern: "^[AB]$", minLength: 1, maxLength: 1, example: A',
    "holds",
  ],
  [
    request,
    "type: string, optional: true, const: A",
    'type: string, optional: true, pattern: "^[BC]$", example: B',
    "breaks",
  ],
  [request, "type: string, optional: true, const: A", "type: string, optional: true, minLength: 2", "breaks"],
  [
    response,
    "type: string, optional: true, const: A",
    'type: string, optional: true, pattern: "^[AB]$", example: A',
    "breaks",
  ],
  [response, "type: string, optional: true, maxLength: 1", "type: string, optional: true, const: A", "holds"],
  [
    response,
    "type: string, optional: true, maxLength: 1",
    "type: string, optional: true, const: AB",
    "breaks",
  ],
  [
    request,
    "type: integer, optional: true, const: 5",
    "type: integer, optional: true, minimum: 5, below: 9",
    "holds",
  ],
  [request, "type: integer, optional: true, const: 5", "type: integer, optional: true, above: 5", "breaks"],
  [response, "type: integer, optional: true, maximum: 9", "type: integer, optional: true, const: 5", "holds"],
  [
    request,
    "type: array of string, optional: true, maxItems: 3",
    "type: array of string, optional: true, maxItems: 2",
    "breaks",
  ],
  [
    request,
    "type: array of string, optional: true",
    "type: array of string, optional: true, minItems: 0",
    "holds",
  ],
  // Presence.
  [request, "type: string, optional: true", "type: string", "breaks"],
  [request, "type: string", "type: string, optional: true", "holds"],
] as const)("%s: { %s } became { %s }: it %s", ([type, old, recent, expected]) => {
  const found = callersFind(type, old, recent);
  expect(found.verdict, found.rules).toBe(expected);
});
