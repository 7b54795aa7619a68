import { didYouMean, entry, listed } from "../entry.ts";

/** The diagnostics of errors, states and revisions. */
export const errorAndStateCodes = {
  "message-placeholder-unknown": entry<{ name: string; known: readonly string[] }>({
    message: ({ name }) => `nothing is filled in for \`{${name}}\``,
    hint: ({ known }) => `known: ${listed(known.map((name) => `{${name}}`))}`,
    rule: "A message may hold `{field}`, which stands for the documented name of the failing field. Anything else in braces would be sent as it stands.",
    example:
      'errors:\n  GONE:\n    doc: It is gone.\n    message: "{⟨book → field⟩} is gone"\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n',
  }),
  "rpc-code-shared": entry<{ number: number; code: string; other: string }>({
    severity: "warning",
    message: ({ number, code, other }) => `\`${code}\` has the number of \`${other}\`, ${number}`,
    hint: () => "give it a number of its own",
    rule: "A caller that looks at the JSON-RPC number alone should be able to tell errors apart.",
    example:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -⟨32602 → 32050⟩\n",
  }),
  "error-code-text": entry<{ code: string }>({
    message: ({ code }) => `"${code}" is text, but a code is an integer`,
    hint: ({ code }) => `write \`code: ${code}\``,
    rule: "The codes of JSON-RPC 2.0 are integers (section 5.1). Only in the signed envelope may `error.code` be digits as text.",
    example:
      'interface:\n  name: notes\n  wire: { protocol: json-rpc-2.0 }\nerrors:\n  GONE: { code: ⟨"-32010" → -32010⟩, message: Gone }\n',
  }),
  "error-code-shared": entry<{ number: number | string; code: string; other: string }>({
    message: ({ number, code, other }) => `\`${code}\` is sent as ${number}, as \`${other}\` is`,
    hint: () => "give it a number of its own, or leave `code` out: the name is sent then",
    rule: "In the signed envelope an error is known by its code alone: no two errors of an interface are sent as one number.",
    example:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n    code: 410\n  LEFT:\n    doc: It left.\n    message: Left\n    condition: It was moved.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32051\n    code: ⟨410 → 411⟩\n",
  }),
  "states-type-not-enum": entry<{ type: string }>({
    message: ({ type }) => `\`${type}\` is no enum`,
    rule: "The states of a machine are the values of an enum type.",
    example:
      "states:\n  Genre:\n    type: ⟨Book → Genre⟩\n    transitions:\n      - { from: any, to: requested }\n",
  }),
  "state-unknown": entry<{ state: string; words: readonly string[]; suggestion: string | undefined }>({
    message: ({ state }) => `there is no state \`${state}\``,
    hint: ({ words, suggestion }) =>
      didYouMean({ suggestion }) ?? `write a value of the enum, or ${listed(words, "or")}`,
    rule: "A transition leads from a state, `any` or `none` (for creation) to a state or `requested` (the value the caller asks for). States are the values of the machine's enum.",
    example:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: ⟨FICTON → FICTION⟩, to: REFERENCE }\n",
  }),
  "transition-repeated": entry<{ from: string; to: string }>({
    message: ({ from, to }) => `the transition from \`${from}\` to \`${to}\` is listed twice`,
    rule: "A transition is listed once. Two with the same states and trigger differ by their condition.",
    example:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: FICTION, to: REFERENCE }\n      - { from: ⟨FICTION, to: REFERENCE → REFERENCE, to: FICTION⟩ }\n",
  }),
  "state-unreachable": entry<{ state: string }>({
    severity: "warning",
    message: ({ state }) => `nothing leads to the state \`${state}\``,
    hint: () => "add the transition that leads to it, or drop the value from the enum",
    rule: "Where a machine says how things begin (`from: none`), each of its states can be reached.",
    example:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: none, to: FICTION }⟨ → \n      - { from: FICTION, to: REFERENCE }⟩\n",
  }),
  "since-after-revision": entry<{ since: string; revision: string }>({
    message: ({ since, revision }) => `${since} comes after the interface's revision, ${revision}`,
    hint: () => "raise `revision` of the interface, or correct `since`",
    rule: "Nothing in a spec is newer than the revision that the spec describes.",
    example: "rules:\n  quiet: { doc: Readers are quiet., since: ⟨9.0 → 1.1⟩.0 }\n",
  }),
};

/** Probable mistakes in a spec that has no errors. */
export const unusedDefinitionCodes = {
  "missing-section": entry<{ what: string; name: string }>({
    severity: "warning",
    message: ({ what, name }) => `the ${what} \`${name}\` says neither \`section\` nor \`decision\``,
    rule: "An interface that has a `section` follows a document. Every definition then says which section it comes from, or which decision settled it.",
    example:
      'interface:\n  section: "1"\nrules:\n  quiet: { doc: Readers are quiet.⟨  → , section: "2.1" ⟩}\n',
  }),
  "unused-type": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `nothing uses the type \`${name}\``,
    hint: () => "use it, delete it, or write `keep: true` beside it",
    rule: "A type that no payload, result, event or state machine reaches has no effect on calls. `keep: true` says that it stays all the same, for documents and for code that imports it.",
    example:
      "types:\n  Shelf:\n    doc: A shelf.\n    type: string\n⟨ → methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: \n      fields:\n        - { name: shelf, type: Shelf, doc: Where it goes back. }\n⟩",
  }),
  "error-never-given": entry<{ code: string }>({
    severity: "warning",
    message: ({ code }) => `nothing gives \`${code}\``,
    hint: () => "list it under the methods that give it, or write `everyMethod: true`",
    rule: "An error is one of every method, or in the `errors` of a method, a fault, or what a missing member of `params.api` is answered with.",
    example:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n⟨ → methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    errors: { GONE: {} }\n⟩",
  }),
  "event-without-cause": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `nothing causes the event \`${name}\``,
    hint: () => "add it to a method's `emits`, or write `otherCauses`",
    rule: "An event is in the `emits` of a method, or its `otherCauses` say in words what causes it.",
    example:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book⟨  → , otherCauses: [A librarian lends it by hand.] ⟩}\n",
  }),
  "unused-service": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `the service \`${name}\` has no methods`,
    rule: "A service is a group of methods; an empty one is usually left over.",
    example:
      "interface:\n  services:\n    BookService: { doc: Books. }⟨\n    ReaderService: { doc: Readers. } → ⟩\n",
  }),
  "spelling-without-effect": entry<{ key: string; direction: string }>({
    severity: "warning",
    message: ({ key, direction }) => `\`${key}\` has no effect: the object is in no ${direction}`,
    rule: "`spellings` are accepted in requests and `alsoSentAs` is sent in responses; on an object that does not travel that way they mean nothing.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: bookId, type: string, ⟨alsoSentAs: BookId → spellings: [isbn]⟩, doc: The book. }\n    result: { fields: [] }\n",
  }),
};

/** The diagnostics of test metadata: resources, samples and scenarios. */
export const testMetadataCodes = {
  "unknown-sample": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `no sample is called \`${name}\``,
    hint: (params) => didYouMean(params) ?? "list it in the `samples` of a resource",
    rule: "What a field `identifies` or `refersTo` is a sample of one of the `resources` of this spec.",
    example:
      "resources:\n  book: { doc: A book., samples: { bookId: Its identifier. } }\ntypes:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: book, type: string, refersTo: ⟨bookID → bookId⟩, doc: The book. }\n",
  }),
  "sample-repeated": entry<{ name: string }>({
    message: ({ name }) => `two resources have a sample called \`${name}\``,
    rule: "The name of a sample says which resource it is of.",
    example:
      "resources:\n  book: { doc: A book., samples: { ⟨id → bookId⟩: Its identifier. } }\n  reader: { doc: A reader., samples: { ⟨id → readerId⟩: Its identifier. } }\n",
  }),
  "step-action": entry<{ found: readonly string[]; known: readonly string[] }>({
    message: ({ found }) =>
      found.length === 0 ? "the step does nothing" : `the step does ${listed(found)} at once`,
    hint: ({ known }) => `a step has one of ${listed(known, "or")}`,
    rule: "Each step of a scenario does one thing, so that a report can say which of them failed.",
    example:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { ⟨ → call: BookService.GetBook, ⟩with: { id: '1' }, expect: { id: '1' } }\n",
  }),
  "step-payload": entry<{ method: string; reason: string; suggestion: string | undefined }>({
    severity: "warning",
    message: ({ method, reason }) => `the payload does not fit \`${method}\`: ${reason}`,
    hint: didYouMean,
    rule: "The payload of a step, and each member that `with` sets, fits its operation, or the step expects an `error` of wrong input, or one that comes before the input is read. After a change of the interface, a payload that fitted once would be refused when the scenario runs.",
    example:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { call: BookService.GetBook, payload: { ⟨number → id⟩: '1' } }\n",
  }),
  "requirement-proof": entry<{ id: string; isTried: boolean }>({
    message: ({ id, isTried }) =>
      isTried ? `\`${id}\` has cases, and a reason why there are none` : `nothing tries \`${id}\``,
    hint: ({ isTried }) =>
      isTried
        ? "leave out `cases` or `untested`"
        : "name its `cases`, or say in `untested` why there can be none",
    rule: "Each requirement is shown by cases, or says why no case can show it.",
    example:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'⟨ → \n    untested: No response shows the title.⟩\n",
  }),
  "too-many-cases": entry<{ most: number }>({
    message: ({ most }) => `this stands for more than ${most} cases`,
    hint: () => "write fewer `{…}`, and name the cases that show it",
    rule: "Each `{a,b}` in the id of a case doubles what it stands for; 10,000 cases are the most.",
    example: [
      `requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: ["${"{a,b}".repeat(14)}"]\n`,
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: ['BookService.GetBook/payload/{minimal,maximal}']\n",
    ],
  }),
  "unknown-case": entry<{ id: string; more: number; suggestion: string | undefined }>({
    severity: "warning",
    message: ({ id, more }) =>
      more === 0
        ? `no case is called \`${id}\``
        : `${more + 1} of its cases are not there, \`${id}\` the first`,
    hint: didYouMean,
    rule: "The cases of a requirement are ones that the spec comes to: what is not there shows nothing.",
    example:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: [BookService.GetBook/payload/⟨minimum → minimal⟩]\n",
  }),
};
