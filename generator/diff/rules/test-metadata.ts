import { waivers, type Rule } from "../model/rule.ts";

const resource = (absent: string, sample: string): string =>
  `resources:\n  book:\n    doc: A book that the caller may lend.\n    section: "2"\n    absent: ${absent}\n    samples:\n      ${sample}: What is on its back.\n`;
const book = resource("NOT_FOUND_BOOK", "bookId");
const noBook = "# there is no resource book\n";
const scenario = (payload: string): string =>
  `scenarios:\n  read-twice:\n    doc: A book reads the same twice.\n    section: "2"\n    steps:\n      - { call: BookService.GetBook, payload: { id: ${payload} } }\n`;
const noScenario = "# there is no scenario read-twice\n";
const requirement = (name: string): string =>
  `requirements:\n  2/read:\n    doc: A book can be read.\n    section: "2"\n    cases: [BookService.GetBook/payload/${name}]\n`;
const noRequirement = "# there is no requirement 2/read\n";
const findBooks = (...lines: readonly string[]): string =>
  `methods:\n  BookService.FindBooks:\n    doc: Finds books.\n    section: "2"\n    effect: read\n    auth: [credential]\n${lines.map((line) => `    ${line}\n`).join("")}    payload:\n      fields:\n        - { name: page, type: integer, minimum: 1, optional: true, doc: Number of the page. }\n        - { name: size, type: integer, minimum: 1, optional: true, doc: Books on a page. }\n    result:\n      fields:\n        - { name: books, type: array of Book, doc: The books. }\n`;
const paged = "paging: { page: page, size: size, items: books }";
const addKey = (...lines: readonly string[]): string =>
  `methods:\n  BookService.AddKey:\n    doc: Makes a key known.\n    section: "2"\n    effect: create\n    auth: [credential]\n${lines.map((line) => `    ${line}\n`).join("")}    payload:\n      fields:\n        - { name: key, type: pem, doc: The key. }\n    result:\n      fields:\n        - { name: keyId, type: string, doc: Its identifier. }\n`;
const field = (keys: string): string =>
  `${book}methods:\n  BookService.GetBook:\n    doc: Reads one book.\n    section: "1"\n    effect: read\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: id, type: string, ${keys}doc: Identifier. }\n    result: Book\n    errors:\n      NOT_FOUND_BOOK: {}\n`;

const tried = (severity: "info" | "warning", consequence: Rule["summary"]): Rule["effects"] => ({
  implementers: { severity, consequence },
});

/** The rules on test metadata: pages, keys, samples and scenarios. */
export const testMetadataRules = {
  "paging-added": {
    area: "operations",
    summary: ({ name, to }) => `\`${name}\` says how its list is read page by page: ${to}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Clients can read the whole list of \`${name}\` item by item.`,
      },
    },
    bump: "minor",
    why: "The fields are the same; generated clients make more of them.",
    todo: "Nothing.",
    before: findBooks(),
    after: findBooks(paged),
    inverse: ["paging-removed"],
    mirror: waivers.whole,
  },
  "paging-removed": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` no longer says how its list is read page by page`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Clients can no longer read the whole list of \`${name}\` item by item.`,
      },
    },
    bump: "major",
    why: "Nothing changes on the wire; the generated client loses what it made of it.",
    todo: "Turn the pages by hand.",
    before: findBooks(paged),
    after: findBooks(),
    inverse: ["paging-added"],
    mirror: waivers.whole,
  },
  "paging-changed": {
    area: "operations",
    summary: ({ name, from, to }) => `the list of \`${name}\` is read by ${to} now, not by ${from}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) =>
          `Callers who turn the pages of \`${name}\` by hand may get fewer items than they asked for, or other ones.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The handler of \`${name}\` has to give pages as it says now.`,
      },
    },
    bump: "minor",
    why: "Callers who take a short page for the last one stop too early where the most items of a page became fewer.",
    todo: "Turn the pages until one is empty.",
    before: findBooks("paging: { page: page, size: size, sizeMax: 100, items: books }"),
    after: findBooks("paging: { page: page, size: size, sizeMax: 50, items: books }"),
    inverse: ["paging-changed"],
    mirror: waivers.whole,
  },
  "paging-style-changed": {
    area: "operations",
    summary: ({ name, from, to }) => `the pages of \`${name}\` are asked for by ${to} now, not by ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `Callers who turn the pages of \`${name}\` get the first one each time.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The handler of \`${name}\` has to find pages in another way.`,
      },
    },
    bump: "major",
    why: "The old field means nothing any more, so that every request asks for the first page.",
    todo: "Add an operation that pages in the new way, and keep this one for a revision.",
    before: findBooks(paged),
    after: findBooks("paging: { cursor: from, next: rest, size: size, items: books }")
      .replace(
        "name: page, type: integer, minimum: 1, optional: true",
        "name: from, type: string, optional: true",
      )
      .replace(
        "doc: The books. }",
        "doc: The books. }\n        - { name: rest, type: string, optional: true, doc: What follows. }",
      ),
    inverse: ["paging-style-changed"],
    mirror: waivers.whole,
  },
  "empty-page-changed": {
    area: "operations",
    summary: ({ name, from, to }) =>
      `the error for a page of \`${name}\` without items is ${to} now, it was ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `Callers of \`${name}\` see the end of the list in another way.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The handler of \`${name}\` has to answer such a page as it says now.`,
      },
    },
    bump: "major",
    why: "Who waited for an empty list gets an error, and who waited for the error turns pages without end.",
    todo: "Answer a page without items as before.",
    before: findBooks(paged, "errors: { NOT_FOUND_BOOK: {} }"),
    after: findBooks(paged.replace("}", ", empty: NOT_FOUND_BOOK }"), "errors: { NOT_FOUND_BOOK: {} }"),
    inverse: ["empty-page-changed"],
    mirror: waivers.whole,
  },
  "first-page-changed": {
    area: "operations",
    summary: ({ name, from, to }) => `the first page of \`${name}\` is ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) =>
          `Callers who begin with page ${from} of \`${name}\` miss items, or are refused.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name, to }) => `The handler of \`${name}\` has to count pages from ${to}.`,
      },
    },
    bump: "major",
    why: "Every page has another number: nothing fails, and the list lacks a page.",
    todo: "Keep the `minimum` of the page's field.",
    before: findBooks(paged),
    after: findBooks(paged).replace("minimum: 1", "minimum: 0"),
    inverse: ["first-page-changed", "request-bound-tightened"],
    mirror: waivers.requestOnly,
  },
  "registers-key-added": {
    area: "authentication",
    summary: ({ name, to }) => `\`${name}\` is said to make a key known: ${to}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Clients can make a pair of keys for \`${name}\` and sign with it.`,
      },
    },
    bump: "minor",
    why: "The fields are the same; generated clients make more of them.",
    todo: "Nothing.",
    before: addKey(),
    after: addKey("registersKey: { publicKey: key, keyId: keyId }"),
    inverse: ["registers-key-removed"],
    mirror: waivers.whole,
  },
  "registers-key-removed": {
    area: "authentication",
    summary: ({ name }) => `\`${name}\` is no longer said to make a key known`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Clients no longer make a pair of keys for \`${name}\`.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Whether \`${name}\` makes a key known is open.`,
      },
    },
    bump: "major",
    why: "The generated client loses what it made of it; whether later calls may be signed with such a key is open.",
    todo: "Make the pair by hand.",
    before: addKey("registersKey: { publicKey: key, keyId: keyId }"),
    after: addKey(),
    inverse: ["registers-key-added"],
    mirror: waivers.whole,
  },
  "registers-key-changed": {
    area: "authentication",
    summary: ({ name, from, to }) => `\`${name}\` makes a key known by ${to} now, not by ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) =>
          `Callers who make a key known with \`${name}\` by ${from} find it unknown.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name, to }) => `The handler of \`${name}\` has to take the key from ${to}.`,
      },
    },
    bump: "major",
    why: "A key that is not known signs nothing.",
    todo: "Take the key from both fields for a revision at least.",
    before: addKey("registersKey: { publicKey: key, keyId: keyId }").replace(
      "keyId, type: string, doc: Its identifier. }",
      "keyId, type: string, doc: Its identifier. }\n        - { name: number, type: string, doc: Its number. }",
    ),
    after: addKey("registersKey: { publicKey: key, keyId: number }").replace(
      "keyId, type: string, doc: Its identifier. }",
      "keyId, type: string, doc: Its identifier. }\n        - { name: number, type: string, doc: Its number. }",
    ),
    inverse: ["registers-key-changed"],
    mirror: waivers.whole,
  },
  "sample-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `${name} stands for ${to} in trials now, not for ${from}`,
    effects: tried("info", () => "Trials of the service put other samples there."),
    bump: "patch",
    why: "Samples are for trying a service; what it takes and gives is the same.",
    todo: "Nothing.",
    before: field(""),
    after: field("identifies: bookId, "),
    inverse: ["sample-changed"],
    mirror: waivers.text,
  },
  "resource-added": {
    area: "texts",
    summary: ({ name }) => `the resource \`${name}\` was added`,
    effects: tried("info", ({ name }) => `Trials of the service need samples of \`${name}\`.`),
    bump: "patch",
    why: "Resources are for trying a service.",
    todo: "Add its samples to the file of samples.",
    before: noBook,
    after: book,
    inverse: ["resource-removed"],
    mirror: waivers.errorCodes,
  },
  "resource-removed": {
    area: "texts",
    summary: ({ name }) => `the resource \`${name}\` was removed`,
    effects: tried("info", ({ name }) => `Trials of the service need no samples of \`${name}\`.`),
    bump: "patch",
    why: "Resources are for trying a service.",
    todo: "Nothing.",
    before: book,
    after: noBook,
    inverse: ["resource-added"],
    mirror: waivers.errorCodes,
  },
  "resource-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `the resource \`${name}\` says ${to} now, not ${from}`,
    effects: tried("warning", ({ name }) => `Trials of the service expect something else of \`${name}\`.`),
    bump: "patch",
    why: "What is answered where there is no such object stands at the methods; trials look for it by what is said here.",
    todo: "See that the file of samples fits, and that the service answers so.",
    before: book,
    after: resource("CONFLICT", "bookId"),
    inverse: ["resource-changed"],
    mirror: waivers.errorCodes,
  },
  "scenario-added": {
    area: "texts",
    summary: ({ name }) => `the scenario \`${name}\` was added`,
    effects: tried("warning", ({ name }) => `The service is tried by \`${name}\` too.`),
    bump: "patch",
    why: "A service that did what the text says may turn out not to.",
    todo: "Run the trials.",
    before: noScenario,
    after: scenario("B-1"),
    inverse: ["scenario-removed"],
    mirror: waivers.errorCodes,
  },
  "scenario-removed": {
    area: "texts",
    summary: ({ name }) => `the scenario \`${name}\` was removed`,
    effects: tried("info", ({ name }) => `The service is no longer tried by \`${name}\`.`),
    bump: "patch",
    why: "What is not tried is still promised.",
    todo: "Nothing.",
    before: scenario("B-1"),
    after: noScenario,
    inverse: ["scenario-added"],
    mirror: waivers.errorCodes,
  },
  "scenario-changed": {
    area: "texts",
    summary: ({ name }) => `the scenario \`${name}\` was changed`,
    effects: tried("warning", ({ name }) => `The service is tried otherwise by \`${name}\`.`),
    bump: "patch",
    why: "A service that passed may not pass now.",
    todo: "Run the trials.",
    before: scenario("B-1"),
    after: scenario("B-2"),
    inverse: ["scenario-changed"],
    mirror: waivers.errorCodes,
  },
  "requirement-added": {
    area: "texts",
    summary: ({ name }) => `the requirement \`${name}\` was added`,
    effects: tried("warning", ({ name }) => `The cases of \`${name}\` count in trials of the service.`),
    bump: "patch",
    why: "What was tried without counting counts now.",
    todo: "Run the trials.",
    before: noRequirement,
    after: requirement("minimal"),
    inverse: ["requirement-removed"],
    mirror: waivers.errorCodes,
  },
  "requirement-removed": {
    area: "texts",
    summary: ({ name }) => `the requirement \`${name}\` was removed`,
    effects: tried(
      "info",
      ({ name }) => `Cases that only \`${name}\` has no longer count in trials of the service.`,
    ),
    bump: "patch",
    why: "They still run.",
    todo: "Nothing.",
    before: requirement("minimal"),
    after: noRequirement,
    inverse: ["requirement-added"],
    mirror: waivers.errorCodes,
  },
  "requirement-changed": {
    area: "texts",
    summary: ({ name }) => `other cases show whether \`${name}\` holds`,
    effects: tried("warning", ({ name }) => `Other cases of \`${name}\` count in trials of the service.`),
    bump: "patch",
    why: "A service that passed may not pass now.",
    todo: "Run the trials.",
    before: requirement("minimal"),
    after: requirement("maximal"),
    inverse: ["requirement-changed"],
    mirror: waivers.errorCodes,
  },
} as const satisfies Readonly<Record<string, Rule>>;
