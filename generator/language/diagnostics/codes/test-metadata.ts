import { didYouMean, entry, listed } from "../entry.ts";

/** The diagnostics of test metadata: resources, samples and scenarios. */
export const testMetadataCodes = {
  "unknown-sample": entry<{ name: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name }) => `no sample is called \`${name}\``,
    hint: didYouMean,
    rule: "What a field `identifies` or `refersTo` is a sample of one of the `resources` of this spec.",
    wrong:
      "resources:\n  book: { doc: A book., samples: { bookId: Its identifier. } }\ntypes:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: book, type: string, refersTo: bookID, doc: The book. }\n",
    right:
      "resources:\n  book: { doc: A book., samples: { bookId: Its identifier. } }\ntypes:\n  Loan:\n    doc: A loan.\n    fields:\n      - { name: book, type: string, refersTo: bookId, doc: The book. }\n",
  }),
  "sample-repeated": entry<{ name: string }>({
    severity: "error",
    message: ({ name }) => `two resources have a sample called \`${name}\``,
    rule: "The name of a sample says which resource it is of.",
    wrong:
      "resources:\n  book: { doc: A book., samples: { id: Its identifier. } }\n  reader: { doc: A reader., samples: { id: Its identifier. } }\n",
    right:
      "resources:\n  book: { doc: A book., samples: { bookId: Its identifier. } }\n  reader: { doc: A reader., samples: { readerId: Its identifier. } }\n",
  }),
  "step-action": entry<{ found: readonly string[]; known: readonly string[] }>({
    severity: "error",
    message: ({ found }) =>
      found.length === 0 ? "the step does nothing" : `the step does ${listed(found)} at once`,
    hint: ({ known }) => `a step has one of ${listed(known, "or")}`,
    rule: "Each step of a scenario does one thing, so that a report can say which of them failed.",
    wrong:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { with: { id: '1' }, expect: { id: '1' } }\n",
    right:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { call: BookService.GetBook, with: { id: '1' }, expect: { id: '1' } }\n",
  }),
  "step-payload": entry<{ method: string; reason: string; suggestion: string | undefined }>({
    severity: "warning",
    message: ({ method, reason }) => `the payload does not fit \`${method}\`: ${reason}`,
    hint: didYouMean,
    rule: "The payload of a step, and each member that `with` sets, fits its operation, or the step expects an `error` of wrong input, or one that comes before the input is read. After a change of the interface, a payload that fitted once would be refused when the scenario runs.",
    wrong:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { call: BookService.GetBook, payload: { number: '1' } }\n",
    right:
      "scenarios:\n  read-back:\n    doc: A book is read back.\n    steps:\n      - { call: BookService.GetBook, payload: { id: '1' } }\n",
  }),
  "requirement-proof": entry<{ id: string; isTried: boolean }>({
    severity: "error",
    message: ({ id, isTried }) =>
      isTried ? `\`${id}\` has cases, and a reason why there are none` : `nothing tries \`${id}\``,
    hint: ({ isTried }) =>
      isTried
        ? "leave out `cases` or `untested`"
        : "name its `cases`, or say in `untested` why there can be none",
    rule: "Each requirement is shown by cases, or says why no case can show it.",
    wrong: "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n",
    right:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    untested: No response shows the title.\n",
  }),
  "too-many-cases": entry<{ most: number }>({
    severity: "error",
    message: ({ most }) => `this stands for more than ${most} cases`,
    hint: () => "write fewer `{…}`, and name the cases that show it",
    rule: "Each `{a,b}` in the id of a case doubles what it stands for; 10,000 cases are the most.",
    wrong: `requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: ["${"{a,b}".repeat(14)}"]\n`,
    right:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: ['BookService.GetBook/payload/{minimal,maximal}']\n",
  }),
  "unknown-case": entry<{ id: string; more: number; suggestion: string | undefined }>({
    severity: "warning",
    message: ({ id, more }) =>
      more === 0
        ? `no case is called \`${id}\``
        : `${more + 1} of its cases are not there, \`${id}\` the first`,
    hint: didYouMean,
    rule: "The cases of a requirement are ones that the spec comes to: what is not there shows nothing.",
    wrong:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: [BookService.GetBook/payload/minimum]\n",
    right:
      "requirements:\n  1/title:\n    doc: A book has a title.\n    section: '1'\n    cases: [BookService.GetBook/payload/minimal]\n",
  }),
};
