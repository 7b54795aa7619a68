import { didYouMean, entry, listed } from "../entry.ts";

/** The diagnostics of a type or a field. */
export const typeCodes = {
  "duplicate-definition": entry<{ what: string; name: string }>({
    message: ({ what, name }) => `the ${what} \`${name}\` is defined twice`,
    hint: () => "keep one definition, or give this one another name",
    rule: "A name is defined once in a spec, in whichever file. The first in path order is kept while the rest is checked.",
    example:
      "⟨# parties.yaml\n → ⟩types:\n  Party:\n    doc: A party.\n    type: string⟨\n# people.yaml\ntypes:\n  Party → \n  Celebration⟩:\n    doc: A celebration.\n    type: string\n",
  }),
  "definition-kind": entry<{ name: string; found: readonly string[] }>({
    message: ({ name, found }) =>
      found.length === 0
        ? `\`${name}\` has none of \`fields\`, \`enum\` and \`type\``
        : `\`${name}\` has ${listed(found)}; it can have one of them`,
    hint: ({ found }) => {
      if (found.length === 0) {
        return "an object has `fields`, a list of values is an `enum`, anything else has a `type`";
      }
      return found.includes("fields") && found.includes("type") ? "an object has `fields` alone" : undefined;
    },
    rule: "A type is one thing: an object (`fields`), a list of values (`enum`) or a scalar, array or other type (`type`). Only `type: array of object` takes `fields` beside it.",
    example:
      "types:\n  Party:\n    doc: A party.\n    ⟨type: object\n     → ⟩fields:\n      - { name: id, type: string, doc: Identifier. }\n",
  }),
  "type-syntax": entry<{ written: string }>({
    message: ({ written }) => `\`${written}\` is not how a type is written`,
    hint: ({ written }) => {
      const item =
        /^([^\s[\]<>]+)\[\]$/.exec(written)?.[1] ??
        /^array(?: of |<|\[)([^\s<>[\]]+)[>\]]?$/i.exec(written)?.[1];
      return item === undefined
        ? "write one type name, or `array of` and one type name"
        : `write \`array of ${item}\``;
    },
    rule: "A type is `string`, `money` or another built-in type, the name of a type, or `array of` one of these. In an interface of JSON-RPC 2.0 it is also `json`, `null`, `map of T`, `tuple of [A, B]`, `A|B` or `T|null`, with parentheses where `array of` is about a union: `array of (A|B)`. Generic types do not exist: name the inner type under `types`.",
    example: "types:\n  Tags:\n    doc: Labels.\n    type: ⟨string[] → array of string⟩\n",
  }),
  "object-without-fields": entry({
    message: () => "an `object` needs `fields`",
    hint: () =>
      "list its fields, or name an object type; any object of an interface of JSON-RPC 2.0 is `map of json`",
    rule: "There are no free-form objects in the signed envelope: whatever travels is described, so that it can be checked.",
    example:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - ⟨{ name: address, type: object, doc: Where → name: address\n        type: object\n        doc: Where.\n        fields:\n          - { name: city, type: string, doc: City⟩. }\n",
  }),
  "fields-without-object": entry<{ type: string }>({
    message: ({ type }) => `\`fields\` belongs to \`object\` and \`array of object\`, not to \`${type}\``,
    hint: () => "write `type: object`, or drop `fields`",
    rule: "Fields written in place belong to an object or to an array of objects; a named type brings its own.",
    example:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - name: address\n        type: ⟨string → object⟩\n        doc: Where.\n        fields:\n          - { name: city, type: string, doc: City. }\n",
  }),
};

/** The diagnostics of the fields of an object. */
export const fieldCodes = {
  "default-mismatch": entry<{ reason: string }>({
    message: ({ reason }) => `the default does not fit its type: ${reason}`,
    rule: "A default is a value of its field: it stands where a caller says nothing.",
    example: tasks("{ name: limit, type: integer, maximum: ⟨50, default: 100 → 100, default: 50⟩ }"),
  }),
  "duplicate-field": entry<{ name: string }>({
    message: ({ name }) => `the object has two fields called \`${name}\``,
    rule: "An object has each field once.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: bookId, type: string, doc: The book. }\n      - { name: ⟨bookId → readerId⟩, type: string, doc: The ⟨book → reader⟩. }\n",
  }),
  "name-case-collision": entry<{ name: string; other: string }>({
    message: ({ name, other }) => `\`${name}\` and \`${other}\` differ only by case`,
    hint: () => "give one of them another name",
    rule: "Requests match field names ignoring case (D-11), so two fields of an object in a request differ by more than that.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: ⟨BookID → copyId⟩, type: string, doc: The copy of the book. }\n    result: { fields: [] }\n",
  }),
  "includes-cycle": entry<{ chain: readonly string[] }>({
    message: ({ chain }) => `the type includes itself: ${chain.join(" → ")}`,
    hint: () =>
      "drop one of these from `includes`; a field may have the type of the object that it stands in",
    rule: "An object has the fields of the types that it includes, which have those of the types that they include in turn. This comes to an end.",
    example: [tree("includes: [Branch]", "includes: [Tree]"), tree("", "includes: [Tree]")],
  }),
  "includes-no-object": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` has no fields to include`,
    hint: () => "include types that are defined by `fields`",
    rule: "`includes` names object types of this spec or of one that it uses: the object has their fields and groups besides its own.",
    example: [
      `types:\n  Title: { doc: A title., type: string }\n${tree("", "includes: [Tree, Title]").slice("types:\n".length)}`,
      tree("", "includes: [Tree]"),
    ],
  }),
  "includes-widened": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` takes values that the included field does not take`,
    hint: () =>
      "give it the same type, and constraints no weaker, or another name; a required field stays required",
    rule: "A value of an object is a value of each type that the object includes. So a field of its own has the name of an included one only where it is narrower: a type of fewer values, more constraints, or required instead of optional.",
    example: [
      tree("", "includes: [Tree]", "{ name: height, type: number, doc: In metres. }"),
      tree("", "includes: [Tree]", "{ name: height, type: integer, maximum: 50, doc: In metres. }"),
    ],
  }),
  "spelling-collision": entry<{ spelling: string; other: string }>({
    message: ({ spelling, other }) => `the spelling \`${spelling}\` is that of the field \`${other}\``,
    rule: "Another spelling of a field is not the name or a spelling of a second field of the object, ignoring case: a request that has it could mean either.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, doc: The book. }\n        - { name: readerId, type: string, spellings: [⟨BookId → reader⟩], doc: The reader. }\n    result: { fields: [] }\n",
  }),
  "also-sent-as-collision": entry<{ name: string; other: string }>({
    message: ({ name, other }) =>
      `responses would have \`${name}\` twice: the field \`${other}\` is sent under that name`,
    rule: "The second name under which a response repeats a value (D-12) is not the name, or second name, of another field.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: number, type: string, ⟨ → alsoSentAs: Number, ⟩doc: Number of the copy. }\n      - { name: shelf, type: string, ⟨alsoSentAs: number,  → ⟩doc: Shelf of the copy. }\n",
  }),
  "optional-and-required-when": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` is optional, and required at times`,
    hint: () => "drop `optional`",
    rule: "`requiredWhen` says it all: required when the other field has one of the values, optional otherwise. `optional: true` beside it says something else.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, ⟨optional: true,  → ⟩requiredWhen: { field: genre, is: [FICTION] }, doc: How long. }\n",
  }),
  "required-when-unknown-field": entry<{ name: string; isItself: boolean; suggestion: string | undefined }>({
    message: ({ name, isItself }) =>
      isItself ? `\`${name}\` cannot depend on itself` : `the object has no field \`${name}\``,
    hint: didYouMean,
    rule: "`requiredWhen` looks at another field of the same object.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: ⟨gener → genre⟩, is: [FICTION] }, doc: How long. }\n",
  }),
  "required-when-value": entry<{ value: string | boolean; field: string; suggestion: string | undefined }>({
    message: ({ value, field }) => `\`${field}\` never has the value ${literal(value)}`,
    hint: didYouMean,
    rule: "The values that `requiredWhen` waits for are ones that the other field can have: values of its enum, texts of a string, `true` or `false` of a boolean.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: genre, type: Genre, doc: Kind of book. }\n      - { name: term, type: string, requiredWhen: { field: genre, is: [⟨FICTON → FICTION⟩] }, doc: How long. }\n",
  }),
  "group-too-small": entry<{ key: string; name: string }>({
    message: ({ key, name }) => `\`${key}\` of \`${name}\` alone makes it required`,
    hint: () => "name a second field, or drop the group and the field's `optional`",
    rule: "A group says that at least one, or exactly one, of several fields is there. Of a single field it says no more than that the field is required.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    atLeastOneOf: [[id⟨ → , isbn⟩]]\n",
  }),
  "groups-too-large": entry<{ most: number }>({
    message: ({ most }) => `the groups of this object name more than ${most} fields`,
    hint: () => "make smaller objects, or one field whose type says which of them it is",
    rule: "The groups of an object name 200 fields together at most. The types state every combination, so they grow with the square.",
    example: [groups(201), groups(2)],
  }),
  "group-unknown-field": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `the object has no field \`${name}\``,
    hint: didYouMean,
    rule: "A group names fields of the object that it stands beside.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, optional: true, doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, ⟨isbm → isbn⟩]]\n",
  }),
  "group-field-required": entry<{ key: string; name: string }>({
    message: ({ key, name }) => `\`${name}\` is always there, so \`${key}\` is settled before it begins`,
    hint: () => "write `optional: true` on the field, or take it out of the group",
    rule: "The fields of a group are optional: the group is what says when one of them is needed.",
    example:
      "types:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: id, type: string, ⟨ → optional: true, ⟩doc: Identifier. }\n      - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n    exactlyOneOf: [[id, isbn]]\n",
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
