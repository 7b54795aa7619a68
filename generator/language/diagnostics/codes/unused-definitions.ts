import { entry } from "../entry.ts";

/** Probable mistakes in a spec that has no errors. */
export const unusedDefinitionCodes = {
  "missing-section": entry<{ what: string; name: string }>({
    severity: "warning",
    message: ({ what, name }) => `the ${what} \`${name}\` says neither \`section\` nor \`decision\``,
    rule: "An interface that has a `section` follows a document. Every definition then says which section it comes from, or which decision settled it.",
    wrong: 'interface:\n  section: "1"\nrules:\n  quiet: { doc: Readers are quiet. }\n',
    right: 'interface:\n  section: "1"\nrules:\n  quiet: { doc: Readers are quiet., section: "2.1" }\n',
  }),
  "unused-type": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `nothing uses the type \`${name}\``,
    hint: () => "use it, delete it, or write `keep: true` beside it",
    rule: "A type that no payload, result, event or state machine reaches has no effect on calls. `keep: true` says that it stays all the same, for documents and for code that imports it.",
    wrong: "types:\n  Shelf:\n    doc: A shelf.\n    type: string\n",
    right:
      "types:\n  Shelf:\n    doc: A shelf.\n    type: string\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: \n      fields:\n        - { name: shelf, type: Shelf, doc: Where it goes back. }\n",
  }),
  "error-never-given": entry<{ code: string }>({
    severity: "warning",
    message: ({ code }) => `nothing gives \`${code}\``,
    hint: () => "list it under the methods that give it, or write `everyMethod: true`",
    rule: "An error is one of every method, or in the `errors` of a method, a fault, or what a missing member of `params.api` is answered with.",
    wrong:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n",
    right:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    errors: { GONE: {} }\n",
  }),
  "event-without-cause": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `nothing causes the event \`${name}\``,
    hint: () => "add it to a method's `emits`, or write `otherCauses`",
    rule: "An event is in the `emits` of a method, or its `otherCauses` say in words what causes it.",
    wrong: "events:\n  Book.LENT: { doc: A book was lent., payload: Book }\n",
    right:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book, otherCauses: [A librarian lends it by hand.] }\n",
  }),
  "unused-service": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `the service \`${name}\` has no methods`,
    rule: "A service is a group of methods; an empty one is usually left over.",
    wrong:
      "interface:\n  services:\n    BookService: { doc: Books. }\n    ReaderService: { doc: Readers. }\n",
    right: "interface:\n  services:\n    BookService: { doc: Books. }\n",
  }),
  "spelling-without-effect": entry<{ key: string; direction: string }>({
    severity: "warning",
    message: ({ key, direction }) => `\`${key}\` has no effect: the object is in no ${direction}`,
    rule: "`spellings` are accepted in requests and `alsoSentAs` is sent in responses; on an object that does not travel that way they mean nothing.",
    wrong:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, alsoSentAs: BookId, doc: The book. }\n    result: { fields: [] }\n",
    right:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, spellings: [isbn], doc: The book. }\n    result: { fields: [] }\n",
  }),
};
