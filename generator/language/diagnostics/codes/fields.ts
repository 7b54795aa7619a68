import { didYouMean, entry } from "../entry.ts";

/** The diagnostics of the fields of an object. */
export const fieldCodes = {
  "default-mismatch": entry<{ reason: string }>({
    severity: "error",
    message: ({ reason }) => `the default does not fit its type: ${reason}`,
    rule: "A default is a value of its field: it stands where a caller says nothing.",
    wrong: tasks("{ name: limit, type: integer, maximum: 50, default: 100 }"),
    right: tasks("{ name: limit, type: integer, maximum: 100, default: 50 }"),
  }),
  "duplicate-field": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `the object has two fields called \`${name}\``,
    rule: "An object has each field once.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: bookId, type: string, doc: The book. }\n      - { name: bookId, type: string, doc: The book. }\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: bookId, type: string, doc: The book. }\n      - { name: readerId, type: string, doc: The reader. }\n",
  }),
  "name-case-collision": entry<{ name: string; other: string }>({
    severity: "error",
    message: ({ name, other }) => `\`${name}\` and \`${other}\` differ only by case`,
    hint: () => "give one of them another name",
    rule: "Requests match field names ignoring case (D-11), so two fields of an object in a request differ by more than that.",
    wrong:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: BookID, type: string, doc: The copy of the book. }\n    result: { fields: [] }\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: copyId, type: string, doc: The copy of the book. }\n    result: { fields: [] }\n",
  }),
  "includes-cycle": entry<{ chain: readonly string[] }>({
    severity: "error",
    message: ({ chain }) => `the type includes itself: ${chain.join(" → ")}`,
    hint: () =>
      "drop one of these from `includes`; a field may have the type of the object that it stands in",
    rule: "An object has the fields of the types that it includes, which have those of the types that they include in turn. This comes to an end.",
    wrong: tree("includes: [Branch]", "includes: [Tree]"),
    right: tree("", "includes: [Tree]"),
  }),
  "includes-no-object": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `\`${name}\` has no fields to include`,
    hint: () => "include types that are defined by `fields`",
    rule: "`includes` names object types of this spec or of one that it uses: the object has their fields and groups besides its own.",
    wrong: `types:\n  Title: { doc: A title., type: string }\n${tree("", "includes: [Tree, Title]").slice("types:\n".length)}`,
    right: tree("", "includes: [Tree]"),
  }),
  "includes-widened": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `\`${name}\` takes values that the included field does not take`,
    hint: () =>
      "give it the same type, and constraints no weaker, or another name; a required field stays required",
    rule: "A value of an object is a value of each type that the object includes. So a field of its own has the name of an included one only where it is narrower: a type of fewer values, more constraints, or required instead of optional.",
    wrong: tree("", "includes: [Tree]", "{ name: height, type: number, doc: In metres. }"),
    right: tree("", "includes: [Tree]", "{ name: height, type: integer, maximum: 50, doc: In metres. }"),
  }),
  "spelling-collision": entry<{ spelling: string; other: string }>({
    severity: "error",
    message: ({ spelling, other }) => `the spelling \`${spelling}\` is that of the field \`${other}\``,
    rule: "Another spelling of a field is not the name or a spelling of a second field of the object, ignoring case: a request that has it could mean either.",
    wrong:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: readerId, type: string, spellings: [BookId], doc: The reader. }\n    result: { fields: [] }\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: readerId, type: string, spellings: [reader], doc: The reader. }\n    result: { fields: [] }\n",
  }),
  "also-sent-as-collision": entry<{ name: string; other: string }>({
    severity: "error",
    message: ({ name, other }) =>
      `responses would have \`${name}\` twice: the field \`${other}\` is sent under that name`,
    rule: "The second name under which a response repeats a value (D-12) is not the name, or second name, of another field.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: number, type: string, doc: Number of the copy. }\n      - { name: shelf, type: string, alsoSentAs: number, doc: Shelf of the copy. }\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: number, type: string, alsoSentAs: Number, doc: Number of the copy. }\n      - { name: shelf, type: string, doc: Shelf of the copy. }\n",
  }),
  "optional-and-required-when": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `\`${name}\` is optional, and required at times`,
    hint: () => "drop `optional`",
    rule: "`requiredWhen` says it all: required when the other field has one of the values, optional otherwise. `optional: true` beside it says something else.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, optional: true, requiredWhen: { field: genre, is: [FICTION] }, doc: How long. }\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: genre, is: [FICTION] }, doc: How long. }\n",
  }),
  "required-when-unknown-field": entry<{ name: string; isItself: boolean; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name, isItself }) =>
      isItself ? `\`${name}\` cannot depend on itself` : `the object has no field \`${name}\``,
    hint: didYouMean,
    rule: "`requiredWhen` looks at another field of the same object.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: gener, is: [FICTION] }, doc: How long. }\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: genre, is: [FICTION] }, doc: How long. }\n",
  }),
  "required-when-value": entry<{ value: string | boolean; field: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ value, field }) => `\`${field}\` never has the value ${literal(value)}`,
    hint: didYouMean,
    rule: "The values that `requiredWhen` waits for are ones that the other field can have: values of its enum, texts of a string, `true` or `false` of a boolean.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: genre, is: [FICTON] }, doc: How long. }\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: genre, is: [FICTION] }, doc: How long. }\n",
  }),
  "group-too-small": entry<{ key: string; name: string }>({
    severity: "error",
    message: ({ key, name }) => `\`${key}\` of \`${name}\` alone makes it required`,
    hint: () => "name a second field, or drop the group and the field's `optional`",
    rule: "A group says that at least one, or exactly one, of several fields is there. Of a single field it says no more than that the field is required.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    atLeastOneOf: [[id]]\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    atLeastOneOf: [[id, isbn]]\n",
  }),
  "groups-too-large": entry<{ most: number }>({
    severity: "error",
    message: ({ most }) => `the groups of this object name more than ${most} fields`,
    hint: () => "make smaller objects, or one field whose type says which of them it is",
    rule: "The groups of an object name 200 fields together at most. The types state every combination, so they grow with the square.",
    wrong: groups(201),
    right: groups(2),
  }),
  "group-unknown-field": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `the object has no field \`${name}\``,
    hint: didYouMean,
    rule: "A group names fields of the object that it stands beside.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, isbm]]\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, isbn]]\n",
  }),
  "group-field-required": entry<{ key: string; name: string }>({
    severity: "error",
    message: ({ key, name }) => `\`${name}\` is always there, so \`${key}\` is settled before it begins`,
    hint: () => "write `optional: true` on the field, or take it out of the group",
    rule: "The fields of a group are optional: the group is what says when one of them is needed.",
    wrong:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, isbn]]\n",
    right:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, isbn]]\n",
  }),
};

/** Text that looks like a truth value keeps its quotes. */
function literal(value: string | boolean): string {
  return value === "true" || value === "false" ? `\`"${value}"\`` : `\`${value}\``;
}

function groups(size: number): string {
  const names = Array.from({ length: size }, (_, at) => `part${at}`);
  const fields = names.map((name) => `{ name: ${name}, type: string, optional: true, doc: A part. }`);
  return `types:\n  Loan:\n    doc: A loan.\n    fields: [${fields.join(", ")}]\n    atLeastOneOf: [[${names.join(", ")}]]\n`;
}

function tree(
  includes: string,
  ofBranch: string,
  field = "{ name: leaves, type: integer, doc: Their number. }",
): string {
  const height = "{ name: height, type: integer, doc: In metres. }";
  return `types:\n  Tree:\n    doc: A tree.\n${lineOf(includes)}    fields: [${height}]\n  Branch:\n    doc: A branch.\n${lineOf(ofBranch)}    fields: [${field}]\n`;
}

function lineOf(text: string): string {
  return text === "" ? "" : `    ${text}\n`;
}

function tasks(field: string): string {
  return `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\nmethods:\n  list:\n    payload: { fields: [${field}] }\n`;
}
