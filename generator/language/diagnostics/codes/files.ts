import { didYouMean, entry } from "../entry.ts";

interface Plainly {
  readonly reason?: string;
  readonly hint: string;
}

/** The YAML parser's commonest complaints in plain words, and what to do; by its own codes. */
const plainly: Readonly<Record<string, Plainly>> = {
  BAD_DQ_ESCAPE: { hint: "in single quotes a backslash is a backslash" },
  BAD_INDENT: {
    reason: "a `{` or `[` is not closed where the line below begins",
    hint: "close it, or indent what belongs to it further; text that holds ` #` is put in quotes",
  },
  BAD_SCALAR_START: { hint: "put the text in quotes" },
  BLOCK_AS_IMPLICIT_KEY: {
    reason: "a second colon where one value is expected",
    hint: "put text that holds a colon and a space in quotes; else the line below is indented too far",
  },
  BLOCK_IN_FLOW: {
    reason: "a second colon where one value is expected",
    hint: "put text that holds a colon and a space in quotes; else a comma is missing before the key",
  },
  MISSING_CHAR: { hint: "close what is open, and indent the line like its neighbours" },
  MULTILINE_IMPLICIT_KEY: {
    reason: "a line without a key",
    hint: "write `key: value`, with a space after the colon",
  },
  TAB_AS_INDENT: { hint: "indent with spaces" },
  UNEXPECTED_TOKEN: { reason: "there is more here than one value", hint: "put the text in quotes" },
};

/** The parser has one code for this and for a bracket that is not closed. */
const unevenIndent: Plainly = {
  reason: "the line below is not indented like its neighbours",
  hint: "give all keys of one mapping, and all items of one list, the same indent",
};

function inPlainWords({ kind, reason }: { kind: string; reason: string }): Plainly | undefined {
  return kind === "BAD_INDENT" && /^All \w+ items must start/.test(reason) ? unevenIndent : plainly[kind];
}

/** The diagnostics of a file that cannot be read or parsed. */
export const fileCodes = {
  "file-not-utf8": entry({
    message: () => "the file is not UTF-8 here",
    hint: () => "save the file as UTF-8",
    rule: "Spec files are UTF-8, with or without a byte order mark. A byte sequence that is not UTF-8 would end up as a replacement character in generated code.",
    example: "# saved as ⟨Latin-1 → UTF-8⟩\nrules:\n  name:\n    doc: Andr⟨� → é⟩ is a name.\n",
  }),
  "file-empty": entry({
    severity: "warning",
    message: () => "the file holds nothing",
    hint: () => "define something in it, or delete it",
    rule: "A spec file holds at least one definition. An empty one is usually a file whose contents went elsewhere.",
    example: "⟨# types will follow → rules:\n  utc:\n    doc: Times are in UTC.⟩\n",
  }),
  "yaml-syntax": entry<{ reason: string; kind: string }>({
    message: (found) => `this is not YAML: ${inPlainWords(found)?.reason ?? lowerFirst(found.reason)}`,
    hint: (found) => inPlainWords(found)?.hint,
    rule: "Spec files are YAML 1.2. Text that holds a colon followed by a space, or starts with one of & * ! | > % @ ` { [, is written in quotes. Only the first mistake of a file is shown, since it often makes the rest look wrong; rules that look across files wait until all files can be read.",
    example: 'rules:\n  utc:\n    doc: ⟨ → "⟩Times: in UTC.⟨ → "⟩\n',
  }),
  "yaml-duplicate-key": entry<{ key: string }>({
    message: ({ key }) => `the key \`${key}\` is written twice in one mapping`,
    hint: () => "keep one of the two",
    rule: "A mapping has each key once. Which of two would win is not a question a spec should raise.",
    example:
      "rules:\n  utc:\n    doc: Times are in UTC⟨.\n    doc: Times are in UTC → ⟩, with milliseconds.\n",
  }),
  "yaml-anchor": entry<{ written: string }>({
    message: ({ written }) => `\`${written}\`: anchors and aliases are not part of the language`,
    hint: () => "give what is repeated a name under `types`, and use the name; or put the text in quotes",
    rule: "Anchors and aliases copy text without giving it a name, so a reader of the spec, and of the code made from it, cannot see that two things are one. A named type says it.",
    example:
      "rules:\n  utc:⟨ &utc → ⟩\n    doc: Times are in UTC⟨.\n  milliseconds: *utc → , with milliseconds.⟩\n",
  }),
  "yaml-tag": entry<{ tag: string }>({
    message: ({ tag }) => `the tag \`${tag}\` is not part of the language`,
    hint: () => "drop the tag; text that looks like a number is written in quotes",
    rule: "A spec is plain YAML: mappings, lists, text, numbers, true and false. Tags change what a value is without its looking so.",
    example: 'rules:\n  utc:\n    doc: Times are in UTC.\n    section: ⟨!!str 1 → "1"⟩\n',
  }),
  "yaml-multiple-documents": entry({
    message: () => "a second YAML document starts here",
    hint: () => "remove the `---`, or put what follows into a file of its own",
    rule: "A spec file is one YAML document. What comes after a second `---` would be read by some tools and not by others.",
    example: "rules:\n  utc:\n    doc: Times are in UTC.\n⟨---\nerrors: {}\n → ⟩",
  }),
  "yaml-key": entry({
    message: () => "a key has to be text",
    rule: "Keys name things, so they are plain text: not empty, not a list, not a mapping.",
    example: "rules:\n  ⟨[utc] → utc⟩:\n    doc: Times are in UTC.\n",
  }),
  "yaml-too-deep": entry<{ depthMax: number }>({
    message: ({ depthMax }) => `this nests more than ${depthMax} levels deep`,
    hint: () => "give inner objects names under `types`",
    rule: "What nests without end cannot be read by people, and makes parsers run out of stack. A spec needs about a dozen levels.",
    example: [`rules: ${"[".repeat(70)}${"]".repeat(70)}\n`, "rules: {}\n"],
  }),
  "number-not-finite": entry({
    message: () => "this number is not finite",
    hint: () => "leave a bound out where there is none",
    rule: "Numbers in a spec end up in JSON, which has no infinity and no NaN.",
    example:
      "types:\n  Percent:\n    doc: A share.\n    type: number\n    minimum: 0\n    maximum: ⟨.inf → 100⟩\n",
  }),
  "number-not-exact": entry<{ written: string }>({
    message: ({ written }) => `\`${written}\` is not kept exactly`,
    hint: () =>
      "write a number from -9007199254740991 to 9007199254740991, with 15 digits at most; or leave a bound out",
    rule: "Numbers are IEEE 754 doubles in JSON and in JavaScript: whole numbers beyond 2^53 - 1, and more than about 15 digits, are read as another number. A bound would not be the one that is written.",
    example:
      "types:\n  Serial:\n    doc: A serial number.\n    type: integer\n    maximum: ⟨9007199254740993 → 9007199254740991⟩\n",
  }),
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Names that are used where nothing of that name is defined. */
export const referenceCodes = {
  "unknown-type": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `no type is called \`${name}\``,
    hint: (params) => didYouMean(params) ?? "define it under `types`, or list the spec that does in `uses`",
    rule: "A type is one of the built-in ones, or is defined under `types` in this spec or in one it uses. Upper and lower case matter.",
    example:
      "types:\n  Shelf:\n    doc: A shelf.\n    fields:\n      - { name: books, type: array of ⟨Bok → Book⟩, doc: The books on it. }\n",
  }),
  "unknown-error-code": entry<{ code: string; suggestion: string | undefined }>({
    message: ({ code }) => `no error is called \`${code}\``,
    hint: (params) => didYouMean(params) ?? "define it under `errors`",
    rule: "Every code that a method, a fault, a member of `params.api` or an example names is defined under `errors`, with its message and what to do about it.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    errors: { ⟨NOT_FOUND_BOK → NOT_FOUND_BOOK⟩: {} }\n",
  }),
  "unknown-event": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `no event is called \`${name}\``,
    hint: (params) => didYouMean(params) ?? "define it under `events`",
    rule: "What a method `emits` is defined under `events`, so that subscribers know what they will be sent.",
    example:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book }\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.⟨LEND → LENT⟩]\n",
  }),
  "event-member-taken": entry<{ name: string }>({
    message: ({ name }) => `every notification has \`${name}\` already`,
    hint: () => "give the member another name",
    rule: "`members` of an event come beside those of every notification (D-41): each has a name of its own.",
    example:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: ⟨eventId → bookId⟩, doc: Which book., repeats: id }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "event-member-value": entry<{ name: string }>({
    message: ({ name }) => `it is not said what \`${name}\` holds`,
    hint: () => "write `repeats` with a field of the payload, or `const` with a value",
    rule: "A member of a notification is a constant, or has the value of a field of the payload: one of the two is said.",
    example:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book.⟨  → , repeats: id ⟩}]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "event-member-field": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `the payload has no field \`${name}\``,
    hint: didYouMean,
    rule: "`repeats` names a field of the payload of the event.",
    example:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book., repeats: ⟨ids → id⟩ }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "unknown-method": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `no method is called \`${name}\``,
    hint: (params) => didYouMean(params) ?? "define it under `methods`",
    rule: "The `by` of a transition is a method of this interface, with its service. A trigger outside the interface has no `by`: say in `condition` what happens.",
    example:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: any, ⟨by: BookService.Rate, to: requested  → to: requested, condition: a librarian reads the book ⟩}\n",
  }),
  "unknown-service": entry<{ service: string; suggestion: string | undefined }>({
    message: ({ service }) => `the interface has no service \`${service}\``,
    hint: (params) => didYouMean(params) ?? "declare it in `services` of the interface",
    rule: "The part of a method's name before the dot is one of the interface's `services`.",
    example:
      "methods:\n  ⟨BooksService → BookService⟩.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "type-name-reserved": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` means something as a type already`,
    hint: () => "give the type another name",
    rule: "The names of the built-in types, and the words `object`, `array` and `of`, cannot name another type.",
    example:
      "types:\n  ⟨money → Price⟩:\n    doc: An amount and its currency.\n    fields:\n      - { name: amount, type: ⟨number → money⟩, doc: The amount. }\n",
  }),
  "not-an-object": entry<{ what: string; type: string }>({
    message: ({ what, type }) => `a ${what} is an object, and \`${type}\` is none`,
    hint: ({ what }) => `write \`fields\` in place, with one field that holds it: every ${what} can grow`,
    rule: "Payloads and results are JSON objects, so a type that stands for one has `fields`.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: ⟨Genre → Book⟩\n",
  }),
};
