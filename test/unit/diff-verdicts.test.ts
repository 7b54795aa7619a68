import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { diffCase, libraryWith } from "./diff-cases.ts";

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
  return verdictOf(diffModels(libraryOf(type, old), libraryOf(type, recent)));
}

function verdictOf(changes: ReturnType<typeof diffModels>): { verdict: Verdict; rules: string } {
  const isBreaking = changes.some(({ impacts }) =>
    impacts.some(({ party, severity }) => party === "callers" && severity === "breaking"),
  );
  return { verdict: isBreaking ? "breaks" : "holds", rules: changes.map(({ rule }) => rule).join(" ") };
}

test.for([
  // The bound of every signed request, written down.
  [request, "type: string, optional: true", "type: string, optional: true, maxLength: 4096", "holds"],
  [request, "type: string, optional: true", "type: string, optional: true, maxLength: 4095", "breaks"],
  [response, "type: string, optional: true, maxLength: 4096", "type: string, optional: true", "breaks"],
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
  // Enums and texts.
  [
    request,
    "type: Genre, optional: true",
    'type: string, optional: true, pattern: "^(FICTION|REFERENCE)$", example: REFERENCE',
    "holds",
  ],
  [
    response,
    "type: Genre, optional: true",
    'type: string, optional: true, pattern: "^(FICTION|REFERENCE)$", example: REFERENCE',
    "holds",
  ],
  [
    response,
    'type: string, optional: true, pattern: "^(FICTION|REFERENCE)$", example: REFERENCE',
    "type: Genre, optional: true",
    "holds",
  ],
  [
    request,
    'type: string, optional: true, pattern: "^(FICTION|REFERENCE)$", example: REFERENCE',
    "type: Genre, optional: true",
    "holds",
  ],
  [response, "type: Genre, optional: true", 'type: string, optional: true, pattern: "^[A-Z]+$"', "breaks"],
  [request, "type: Genre, optional: true", 'type: string, optional: true, pattern: "^[A-Z]+$"', "holds"],
  [
    request,
    "type: Genre, optional: true",
    "type: string, optional: true, pattern: ^FICTION$, example: FICTION",
    "breaks",
  ],
  [
    response,
    "type: Genre, optional: true",
    "type: string, optional: true, pattern: ^FICTION$, example: FICTION",
    "holds",
  ],
  [request, "type: Genre, optional: true", "type: string, optional: true, maxLength: 4", "breaks"],
  [request, "type: Genre, optional: true", "type: uuid, optional: true", "breaks"],
  // Formats, with what follows from them.
  [response, "type: uuid, optional: true, maxLength: 36", "type: uuid, optional: true", "holds"],
  [
    request,
    "type: uuid, optional: true",
    "type: uuid, optional: true, minLength: 36, maxLength: 36",
    "holds",
  ],
  [request, "type: uuid, optional: true", "type: uuid, optional: true, maxLength: 35", "breaks"],
  [response, "type: string, optional: true, maxLength: 36", "type: uuid, optional: true", "holds"],
  [request, "type: uuid, optional: true", "type: string, optional: true, maxLength: 36", "holds"],
  [request, "type: uuid, optional: true", "type: string, optional: true, maxLength: 35", "breaks"],
  [response, "type: date, optional: true, maxLength: 8", "type: date, optional: true", "holds"],
  [response, "type: date, optional: true", 'type: string, optional: true, pattern: "^[0-9]{8}$"', "breaks"],
  [request, "type: date, optional: true", 'type: string, optional: true, pattern: "^[0-9]{8}$"', "holds"],
  [request, 'type: string, optional: true, pattern: "^[0-9]{8}$"', "type: date, optional: true", "breaks"],
  [response, 'type: string, optional: true, pattern: "^[0-9]{8}$"', "type: date, optional: true", "holds"],
  [
    response,
    "type: year-month, optional: true",
    'type: string, optional: true, pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$"',
    "holds",
  ],
  [
    request,
    'type: string, optional: true, pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$"',
    "type: year-month, optional: true",
    "holds",
  ],
  [
    request,
    'type: string, optional: true, pattern: "^[0-9]{4}-0[1-9]$"',
    "type: year-month, optional: true",
    "holds",
  ],
  [
    response,
    "type: year-month, optional: true",
    'type: string, optional: true, pattern: "^[0-9]{4}-0[1-9]$"',
    "holds",
  ],
  [
    request,
    "type: timestamp, optional: true, maxLength: 24",
    "type: offset-timestamp, optional: true",
    "holds",
  ],
  // Patterns: who validated the answer by the old one refuses it.
  [
    response,
    'type: string, optional: true, pattern: "^[A-Z]{2}$"',
    'type: string, optional: true, pattern: "^[A-Z]{2,3}$"',
    "breaks",
  ],
  [response, 'type: string, optional: true, pattern: "^[A-Z]{2}$"', "type: string, optional: true", "breaks"],
  [
    response,
    'type: string, optional: true, pattern: "^[A-Z]{2}$"',
    'type: string, optional: true, pattern: "^[A-Z]{2,3}$", maxLength: 2',
    "holds",
  ],
  // A set of numbers, and a range.
  [
    request,
    "type: integer, optional: true, minimum: 1, maximum: 3",
    "type: number, optional: true, minimum: 1, maximum: 3",
    "holds",
  ],
  // Arrays.
  [
    response,
    "type: array of string, optional: true, maxItems: 3",
    "type: array of string, optional: true, maxItems: 2",
    "holds",
  ],
  [
    response,
    "type: array of string, optional: true, minItems: 1",
    "type: array of string, optional: true",
    "breaks",
  ],
  [request, "type: array of Genre, optional: true", "type: array of string, optional: true", "holds"],
  [
    request,
    "type: array of string, optional: true, uniqueItems: true, maxItems: 1",
    "type: array of string, optional: true, maxItems: 1",
    "holds",
  ],
  [
    response,
    "type: array of string, optional: true, uniqueItems: true, maxItems: 1",
    "type: array of string, optional: true, maxItems: 1",
    "holds",
  ],
  [
    request,
    "type: array of string, optional: true, maxItems: 1",
    "type: array of string, optional: true, maxItems: 1, uniqueItems: true",
    "holds",
  ],
  [
    request,
    "type: array of string, optional: true, maxItems: 2",
    "type: array of string, optional: true, maxItems: 2, uniqueItems: true",
    "breaks",
  ],
  // Required text: never empty (D-14).
  [request, "type: string", 'type: string, pattern: "^[^]+$"', "holds"],
  [request, 'type: string, pattern: "^[^]+$"', "type: string, minLength: 1", "holds"],
  // Constants.
  [request, "type: integer, optional: true, const: 5", "type: number, optional: true, minimum: 4", "holds"],
  [request, "type: string, optional: true, const: FICTION", "type: Genre, optional: true", "holds"],
  [response, "type: Genre, optional: true", "type: string, optional: true, const: FICTION", "holds"],
  [response, "type: boolean, optional: true, const: true", "type: boolean, optional: true", "breaks"],
  [
    request,
    "type: number, optional: true, minimum: 0.5",
    "type: integer, optional: true, minimum: 1",
    "breaks",
  ],
  [response, "type: number, optional: true, minimum: 1", "type: integer, optional: true, above: 0", "holds"],
  [request, "type: integer, optional: true, above: 0", "type: number, optional: true, minimum: 1", "holds"],
  [
    response,
    "type: number, optional: true, maximum: 2.5",
    "type: integer, optional: true, maximum: 2",
    "holds",
  ],
  [
    request,
    "type: integer, optional: true, maximum: 2",
    "type: integer, optional: true, maximum: 2.5",
    "holds",
  ],
  // Presence.
  [request, "type: string, optional: true", "type: string", "breaks"],
  [request, "type: string", "type: string, optional: true", "holds"],
] as const)("%s: { %s } became { %s }: it %s", ([type, old, recent, expected]) => {
  const found = callersFind(type, old, recent);
  expect(found.verdict, found.rules).toBe(expected);
});

test.for([
  ["^[0-9]{13}$", "^[0-9]{13,14}$", "holds"],
  ["^[0-9]{13}$", "^[0-9][0-9]{12}$", "holds"],
  ["^[0-9]{13,14}$", "^[0-9]{13}$", "breaks"],
] as const)("ids of requests that match %s match %s now: it %s", ([old, recent, expected]) => {
  const base = [...(diffCase("id-pattern-widened").old ?? [])];
  const withIds = (pattern: string): ReturnType<typeof libraryWith> =>
    libraryWith(
      new Map(base.map(([path, text]) => [path, text.replace("^[0-9]{12,18}$", () => pattern)] as const)),
    );
  expect(verdictOf(diffModels(withIds(old), withIds(recent))).verdict).toBe(expected);
});

test.each([
  ["doc-changed", "It is kept. It must be unique.", "It must be unique; it is kept."],
  ["doc-changed", "It is kept; it must be unique!", "It must be unique? It is kept."],
  ["doc-rule-added", "It is kept.", "It is kept. It must be unique."],
  ["doc-rule-added", "It must be kept and unique.", "It must be kept. It must be unique."],
])("%s where sentences of a text change: %s", (rule, old, recent) => {
  const documented = (doc: string) =>
    libraryOf(
      response,
      `type: string, optional: true }\n      - { name: other, type: string, optional: true, doc: "${doc}"`,
    );
  expect(diffModels(documented(old), documented(recent)).map((change) => change.rule)).toEqual([rule]);
});
