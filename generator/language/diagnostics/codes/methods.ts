import { didYouMean, entry, listed } from "../entry.ts";

/** The diagnostics of a method. */
export const methodCodes = {
  "code-name-taken": entry<{
    name: string;
    other: string;
    codeName: string;
    choose: "codeName" | "paging.name";
  }>({
    message: ({ name, other, codeName }) =>
      `\`${name}\` would be called \`${codeName}\` in generated code, as \`${other}\` is`,
    hint: ({ choose }) =>
      choose === "codeName"
        ? "give the newer of the two a name of its own: another one, or `codeName` beside it"
        : "give the newer of the two lists a name of its own: `name` in its `paging`",
    rule: "A name in generated code depends on its own item alone, so that nothing added to a spec renames what callers use. Where two items come to one name, you choose: `codeName` is what generated code calls a method, type, service, event or error, whatever it is called on the wire. Names of types and forms are not on the wire, so they may just be changed.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential]\n    payload: { fields: [] }\n    result: { fields: [] }\n  BookService.Lend_Book:\n    ⟨ → codeName: LendSomeBook\n    ⟩doc: Lends a book, too.\n    effect: set\n    auth: [credential]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "method-without-service": entry<{ method: string; services: readonly string[] }>({
    message: ({ method }) => `\`${method}\` does not say its service`,
    hint: ({ method, services }) =>
      services[0] === undefined ? undefined : `write it like \`${services[0]}.${method}\``,
    rule: "Where an interface has services, a method in an envelope is named `<Service>.<Operation>`. Only flat bodies, which carry no name, have plain ones.",
    example:
      "methods:\n  ⟨ → BookService.⟩LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "method-auth-missing": entry<{ method: string; members: readonly string[] }>({
    message: ({ method }) => `\`${method}\` does not say what it is authenticated by`,
    hint: ({ members }) => `write \`auth: [${members.join(", ")}]\`, or the members it requires`,
    rule: "A method in an envelope lists the members of `params.api` that it requires. The scheme `signedEnvelope` asks for `credential` at least; under a scheme of your own a method that requires none says so: `auth: []`.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    ⟨ → auth: [credential, signature]\n    ⟩payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "auth-member-unknown": entry<{ name: string; members: readonly string[]; suggestion: string | undefined }>({
    message: ({ name }) => `\`${name}\` is no member of params.api`,
    hint: ({ members, suggestion }) =>
      didYouMean({ suggestion }) ??
      (members.length === 0
        ? "declare it under `auth.members` of the interface"
        : `the interface has ${listed(members)}`),
    rule: "What a method lists under `auth` is declared once under `auth.members` of the interface, or of the spec it uses.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [⟨credentials → credential⟩]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "read-with-effects": entry<{ method: string }>({
    message: ({ method }) => `\`${method}\` is a \`read\`, which changes nothing`,
    hint: () => "write `effect: set` or `effect: create`",
    rule: "A method that causes an event or moves a state changes something: its effect is `set` or `create`. Reads may be repeated and answered from a copy.",
    example:
      "events:\n  Book.LENT: { doc: A book was lent., payload: Book }\nmethods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: ⟨read → set⟩\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    emits: [Book.LENT]\n",
  }),
  "renamed-from-taken": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` is not a name of the past`,
    rule: "`renamedFrom` is the name that a method, type, field, enum value, error or event no longer has: nothing of its kind beside it is called that now, and no two had it.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    renamedFrom: BookService.⟨GetBook → BorrowBook⟩\n",
  }),
  "forms-selector-not-const": entry<{ form: string; field: string }>({
    message: ({ form, field }) => `the form \`${form}\` has no field \`${field}\` with a constant`,
    hint: ({ field }) => `give it \`${field}\` with \`const\`, or write \`selectedBy: stored\``,
    rule: "The field that tells forms apart has a `const` in every form. It may be optional in one of them, which a payload without the field is. Where the handler looks up which form applies, `selectedBy` is `stored`.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      selectedBy: kind\n      forms:\n        adult:\n          doc: For adults.\n          fields:\n            - { name: kind, type: string, const: ADULT, doc: Always ADULT. }\n        child:\n          doc: For children.\n          fields:\n            - { name: kind, type: string, ⟨doc: Any kind → const: CHILD, doc: Always CHILD⟩. }\n    result: { fields: [] }\n",
  }),
  "forms-ambiguous": entry<{ field: string; value: string; other: string }>({
    message: ({ field, value, other }) => `\`${field}\` is \`${value}\` in the form \`${other}\` too`,
    rule: "The constant that tells forms apart is another one in each form, and no more than one form may lack it.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      selectedBy: kind\n      forms:\n        adult:\n          doc: For adults.\n          fields:\n            - { name: kind, type: string, const: ADULT, doc: Always ADULT. }\n        child:\n          doc: For children.\n          fields:\n            - { name: kind, type: string, const: ⟨ADULT → CHILD⟩, doc: Always ⟨ADULT → CHILD⟩. }\n    result: { fields: [] }\n",
  }),
  "forms-amount": entry<{ name: string }>({
    message: ({ name }) => `\`${name}\` is a number here and \`money\` in another form`,
    hint: () => "make it `money` in both, or give one of them another name",
    rule: "A request is read before it is known which of the forms it has. A field of one name that several forms have, at any depth, is an amount in all of them or in none.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      selectedBy: stored\n      forms:\n        adult: { doc: For adults., fields: [{ name: fee, type: money, doc: What it costs. }] }\n        child: { doc: For children., fields: [{ name: ⟨fee → fees⟩, type: integer, doc: How often it is paid. }] }\n    result: { fields: [] }\n",
  }),
  "flat-with-envelope-keys": entry<{ key: string }>({
    message: ({ key }) => `\`${key}\` is about envelopes, and this body has none`,
    hint: ({ key }) => `drop \`${key}\`, or \`flat\``,
    rule: "A flat body has no `params.api` and no `jsonrpc`: it is authenticated by headers.",
    example:
      "methods:\n  FindBook:\n    doc: Finds a book.\n    effect: read\n    flat: { selectedBy: [isbn] }\n    ⟨auth: [credential]\n     → ⟩payload:\n      fields:\n        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n    result: Book\n",
  }),
  "flat-field-of-envelope": entry<{ name: string }>({
    message: ({ name }) => `a body with \`${name}\` is taken for an envelope`,
    hint: () => "give the field another name",
    rule: "A body with `method`, `params` or `jsonrpc` is an envelope (D-22), so a flat body has no field of these names, in any case.",
    example:
      "methods:\n  FindBook:\n    doc: Finds a book.\n    effect: read\n    flat: { selectedBy: [isbn] }\n    payload:\n      fields:\n        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: ⟨method → searchMethod⟩, type: string, optional: true, doc: How to search. }\n    result: Book\n",
  }),
  "flat-unselected": entry<{ path: string | undefined }>({
    message: ({ path }) =>
      path === undefined
        ? "nothing selects this flat body"
        : `every body at \`${path}\` is this operation, and another one is there too`,
    hint: ({ path }) =>
      path === undefined
        ? "write `flat: { selectedBy: [<field>, …] }`, or give the operation a `path` of its own"
        : "write `flat: { selectedBy: [<field>, …] }` in both, or another `path`",
    rule: "A flat body is known by fields that it has, `selectedBy`, or by a `path` at which there is no other.",
    example:
      "methods:\n  FindBook:\n    doc: Finds a book.\n    effect: read\n    ⟨ → path: /library/books\n    ⟩flat: {}\n    payload: { fields: [{ name: isbn, type: string, doc: Number of the edition. }] }\n    result: Book\n",
  }),
  "method-path-of-interface": entry<{ path: string }>({
    message: ({ path }) => `\`${path}\` is the path of the interface`,
    hint: () => "drop `path`: operations are at that path unless they say another one",
    rule: "`path` of an operation is another one than that of the interface. Several operations may have the same.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    path: /⟨jsonrpc → lending⟩\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "flat-selector-unknown": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `the body has no field \`${name}\``,
    hint: didYouMean,
    rule: "A flat body differs from others by fields that it has.",
    example:
      "methods:\n  FindBook:\n    doc: Finds a book.\n    effect: read\n    flat: { selectedBy: [⟨isbm → isbn⟩] }\n    payload:\n      fields:\n        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n    result: Book\n",
  }),
  "flat-selectors-overlap": entry<{ name: string }>({
    message: ({ name }) => `a body with \`${name}\` is another operation already`,
    hint: () =>
      "give the field a `const` of its own, or another type, in each of the two; or select by another field",
    rule: "Two flat operations are selected by the same field, ignoring case, only where its value tells them apart: by `const`, by values of an enum, or by its type in JSON. Otherwise a body that has it could be either.",
    example:
      "methods:\n  FindBook:\n    doc: Finds a book.\n    effect: read\n    flat: { selectedBy: [isbn⟨, title → ⟩] }\n    payload:\n      fields:\n        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n    result: Book\n  FindEdition:\n    doc: Finds a book.\n    effect: read\n    flat: { selectedBy: [title] }\n    payload:\n      fields:\n        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n    result: Book\n",
  }),
  "flat-body-taken": entry<{ name: string }>({
    message: ({ name }) =>
      `no body is ever this operation: each has \`${name}\`, and is another one that comes before it`,
    hint: () =>
      "write `order` in the `flat` of this one, so that it comes first, select it by another field, or give the field a `const` or a type of its own in each of the two",
    rule: "A flat body that has what selects two operations is the first of them, by `order`, then by section and then by name. An operation whose every body has what selects an earlier one is never reached.",
    example:
      'methods:\n  FindBook:\n    doc: Finds a book.\n    section: "4.⟨1 → 2⟩"\n    effect: read\n    flat: { selectedBy: [isbn] }\n    payload:\n      fields:\n        - { name: isbn, type: string, doc: Number of the edition. }\n    result: Book\n  MarkBook:\n    doc: Marks a book.\n    section: "4.⟨2 → 1⟩"\n    effect: set\n    flat: { selectedBy: [mark] }\n    payload:\n      fields:\n        - { name: isbn, type: string, doc: Number of the edition. }\n        - { name: mark, type: string, doc: What is noted. }\n    result: Book\n',
  }),
  "example-mismatch": entry<{ reason: string; suggestion: string | undefined }>({
    message: ({ reason }) => `the example does not fit its type: ${reason}`,
    hint: didYouMean,
    rule: "Examples are checked against the types, field by field: they are shown to callers as what works. The payload of an example that ends in an error may be wrong on purpose and is not checked.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    example: ⟨9780141439518 → "9780141439518"⟩\n',
  }),
  "example-outcome": entry<{ name: string; both: boolean }>({
    message: ({ name, both }) =>
      `the example \`${name}\` has ${both ? "both `result` and `error`" : "neither `result` nor `error`"}`,
    rule: "An example shows a call and what it is answered with: a `result`, or an `error` by its code.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    examples:\n      - { name: A loan, payload: {}⟨ } → , result: {} }⟩\n",
  }),
  "example-error-not-given": entry<{ code: string; method: string }>({
    message: ({ code, method }) => `\`${method}\` never gives \`${code}\``,
    hint: ({ code }) => `add \`${code}\` to the method's \`errors\``,
    rule: "The error of an example, or of an empty list, is one that the method gives: one of its `errors`, one of every method, a fault, or what a missing member of `params.api` is answered with.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload: { fields: [] }\n    result: { fields: [] }\n    ⟨ → errors: { NOT_FOUND_BOOK: {} }\n    ⟩examples:\n      - { name: No such book, payload: {}, error: NOT_FOUND_BOOK }\n",
  }),
};

const list = (paging: string, pageType = "integer") =>
  `methods:\n  BookService.ListBooks:\n    doc: Lists books.\n    effect: read\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: page, type: ${pageType}, optional: true, doc: The page. }\n    result:\n      fields:\n        - { name: books, type: array of Book, doc: The books. }\n    paging: ${paging}\n`;

/** The diagnostics where a method names fields of its own for what they do. */
export const methodFieldCodes = {
  "method-field-unknown": entry<{
    key: string;
    name: string;
    part: "payload" | "result";
    suggestion: string | undefined;
  }>({
    message: ({ name, part }) => `the ${part} has no field \`${name}\``,
    hint: didYouMean,
    rule: "`paging` and `registersKey` name fields of the method's own payload and result, in their canonical spelling.",
    example: list("{ page: ⟨Page → page⟩, items: books }"),
  }),
  "paging-style": entry({
    message: () => "a list comes in pages by their number or by a cursor",
    hint: () => "write `page`, or `cursor` and `next`",
    rule: "`page` names the payload's number of the page. `cursor` names the payload's field for where a page begins, and `next` the result's field with the cursor of the next page.",
    example: list("{ ⟨cursor → page⟩: page, items: books }"),
  }),
  "method-field-type": entry<{ key: string; name: string; wanted: string }>({
    message: ({ key, name, wanted }) => `\`${name}\` cannot be the \`${key}\`: it is not ${wanted}`,
    rule: "The fields that `paging` names are integers or strings whose `pattern` takes digits, and an array for the `items`; a `cursor` is an optional string or integer, and `next` a string or integer; those of `registersKey` are a `pem` and a string.",
    example: [list("{ page: page, items: books }", "string"), list("{ page: page, items: books }")],
  }),
};
