import { didYouMean, entry } from "../entry.ts";

/** Names that are used where nothing of that name is defined. */
export const referenceCodes = {
  "unknown-type": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `no type is called \`${name}\``,
    hint: didYouMean,
    rule: "A type is one of the built-in ones, or is defined under `types` in this spec or in one it uses. Upper and lower case matter.",
    wrong:
      "types:\n  Shelf:\n    doc: A shelf.\n    fields:\n      - { name: books, type: array of Bok, doc: The books on it. }\n",
    right:
      "types:\n  Shelf:\n    doc: A shelf.\n    fields:\n      - { name: books, type: array of Book, doc: The books on it. }\n",
  }),
  "unknown-error-code": entry<{ code: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ code }) => `no error is called \`${code}\``,
    hint: didYouMean,
    rule: "Every code that a method, a fault, a member of `params.api` or an example names is defined under `errors`, with its message and what to do about it.",
    wrong:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    errors: { NOT_FOUND_BOK: {} }\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    errors: { NOT_FOUND_BOOK: {} }\n",
  }),
  "unknown-event": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `no event is called \`${name}\``,
    hint: didYouMean,
    rule: "What a method `emits` is defined under `events`, so that subscribers know what they will be sent.",
    wrong:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book }\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LEND]\n",
    right:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book }\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "event-member-taken": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `every notification has \`${name}\` already`,
    hint: () => "give the member another name",
    rule: "`members` of an event come beside those of every notification (D-41): each has a name of its own.",
    wrong:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: eventId, doc: Which book., repeats: id }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
    right:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book., repeats: id }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "event-member-value": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `it is not said what \`${name}\` holds`,
    hint: () => "write `repeats` with a field of the payload, or `const` with a value",
    rule: "A member of a notification is a constant, or has the value of a field of the payload: one of the two is said.",
    wrong:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book. }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
    right:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book., repeats: id }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "event-member-field": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `the payload has no field \`${name}\``,
    hint: didYouMean,
    rule: "`repeats` names a field of the payload of the event.",
    wrong:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book., repeats: ids }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
    right:
      "events:\n  Book.LENT:\n    doc: A book was lent.\n    members: [{ name: bookId, doc: Which book., repeats: id }]\n    payload: Book\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "unknown-method": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `no method is called \`${name}\``,
    hint: didYouMean,
    rule: "The `by` of a transition is a method of this interface, with its service. A trigger outside the interface has no `by`: say in `condition` what happens.",
    wrong:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: any, by: BookService.Rate, to: requested }\n",
    right:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: any, to: requested, condition: a librarian reads the book }\n",
  }),
  "unknown-service": entry<{ service: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ service }) => `the interface has no service \`${service}\``,
    hint: didYouMean,
    rule: "The part of a method's name before the dot is one of the interface's `services`.",
    wrong:
      "methods:\n  BooksService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "type-name-reserved": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `\`${name}\` means something as a type already`,
    hint: () => "give the type another name",
    rule: "The names of the built-in types, and the words `object`, `array` and `of`, cannot name another type.",
    wrong:
      "types:\n  money:\n    doc: An amount and its currency.\n    fields:\n      - { name: amount, type: number, doc: The amount. }\n",
    right:
      "types:\n  Price:\n    doc: An amount and its currency.\n    fields:\n      - { name: amount, type: money, doc: The amount. }\n",
  }),
  "not-an-object": entry<{ what: string; type: string }>({
    severity: "error",
    message: ({ what, type }) => `a ${what} is an object, and \`${type}\` is none`,
    hint: ({ what }) => `write \`fields\` in place, with one field that holds it: every ${what} can grow`,
    rule: "Payloads and results are JSON objects, so a type that stands for one has `fields`.",
    wrong:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: Genre\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: Book\n",
  }),
};
