import { waivers, type Rule } from "../model/rule.ts";
import { lendBook } from "./samples.ts";

const none = "# there is no BookService.RenewLoan\n";
const renew = lendBook().replace("LendBook", "RenewLoan");
const extend = lendBook("renamedFrom: BookService.RenewLoan").replace("LendBook", "ExtendLoan");

/** Operations that come and go, and what is said of one as a whole. */
export const operationRules = {
  "method-added": {
    area: "operations",
    summary: ({ name }) => `the operation \`${name}\` was added`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers may call \`${name}\`.` },
      implementers: {
        severity: "warning",
        consequence: ({ name }) =>
          `\`generate\` writes a stub for \`${name}\`, which refuses every call until it has a body.`,
      },
    },
    bump: "minor",
    why: "No caller used it before. A person has to write its handler.",
    todo: "Run `ledger-rpc generate` and write the body of the new handler.",
    before: none,
    after: renew,
    inverse: ["method-removed"],
    mirror: waivers.whole,
  },
  "method-removed": {
    area: "operations",
    summary: ({ name }) => `the operation \`${name}\` was removed`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A call of \`${name}\` is refused as an unknown method.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `The handler of \`${name}\` has lost its types and is no longer called; its file stays.`,
      },
    },
    bump: "major",
    why: "Every call of it fails. Nothing that is configured makes this less than breaking.",
    todo: "Mark the operation `deprecated` and keep it for a revision at least. If it has a new name, say so with `renamedFrom`.",
    before: renew,
    after: none,
    inverse: ["method-added"],
    mirror: waivers.whole,
  },
  "method-renamed": {
    area: "operations",
    summary: ({ from, to }) => `the operation \`${from}\` is called \`${to}\` now`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) => `A call of \`${from}\` is refused as an unknown method.`,
      },
      implementers: {
        severity: "info",
        consequence: ({ to }) => `\`generate\` moves the handler file to \`${to}\`, body and all.`,
      },
    },
    bump: "major",
    why: "Callers know an operation by its name.",
    todo: "Keep the old operation beside the new one, marked `deprecated`, for a revision at least.",
    before: renew,
    after: extend,
    inverse: ["method-renamed", "method-added", "method-removed"],
    mirror: waivers.whole,
  },
  "method-name-reused": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` is another operation than the one that was called so`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A call of \`${name}\` as it was does something else.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `A handler file of \`${name}\` that was kept is of the old operation.`,
      },
    },
    bump: "major",
    why: "A name that belonged to one operation and now belongs to another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new operation a name that nothing had before.",
    before: extend,
    after:
      extend.replace("    renamedFrom: BookService.RenewLoan\n", "") +
      renew.replace("methods:\n", "").replace("Lends a book.", "Buys the book."),
    inverse: ["method-removed"],
    mirror: waivers.whole,
  },
  "effect-read-to-write": {
    area: "operations",
    summary: ({ name, to }) => `\`${name}\` changes something now: its effect is \`${to}\`, not \`read\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `A caller that repeats \`${name}\`, or calls it just to look, changes something.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The handler of \`${name}\` is given a context that writes.`,
      },
    },
    bump: "major",
    why: "Reads are repeated, cached and called out of curiosity.",
    todo: "Offer a new operation for the change, and leave the read alone.",
    before: lendBook("effect: read"),
    after: lendBook("effect: set"),
    inverse: ["effect-write-to-read"],
    mirror: waivers.whole,
  },
  "effect-write-to-read": {
    area: "operations",
    summary: ({ name, from }) =>
      `\`${name}\` changes nothing any more: its effect is \`read\`, not \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A caller that needs the effect of \`${name}\` waits for it in vain.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The handler of \`${name}\` is given a context that cannot write.`,
      },
    },
    bump: "major",
    why: "The change was what callers called it for.",
    todo: "Offer a new operation that reads, and leave this one alone.",
    before: lendBook("effect: set"),
    after: lendBook("effect: read"),
    inverse: ["effect-read-to-write"],
    mirror: waivers.whole,
  },
  "effect-set-to-create": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` makes something new each time: its effect is \`create\`, not \`set\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `A caller that repeats \`${name}\` under another request id gets it twice.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) =>
          `A repetition with the same id no longer reaches the handler of \`${name}\`.`,
      },
    },
    bump: "major",
    why: "A `set` may be repeated as often as one likes; a `create` only under the same request id.",
    todo: "Offer a new operation that creates, and leave this one alone.",
    before: lendBook("effect: set"),
    after: lendBook("effect: create"),
    inverse: ["effect-create-to-set"],
    mirror: waivers.whole,
  },
  "effect-create-to-set": {
    area: "operations",
    summary: ({ name }) =>
      `\`${name}\` reaches the same end state each time: its effect is \`set\`, not \`create\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `A second \`${name}\` makes nothing new, and a repetition is no longer answered from the first.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Repetitions reach the handler of \`${name}\`, which has to bear them.`,
      },
    },
    bump: "major",
    why: "Callers who wanted two get one, and the first answer is no longer remembered for repetitions.",
    todo: "Offer a new operation that sets, and leave this one alone.",
    before: lendBook("effect: create"),
    after: lendBook("effect: set"),
    inverse: ["effect-set-to-create"],
    mirror: waivers.whole,
  },
  "emits-added": {
    area: "events",
    summary: ({ name, to }) => `\`${name}\` causes the event \`${to}\` now`,
    effects: {
      implementers: {
        severity: "breaking",
        consequence: ({ name, to }) => `The handler of \`${name}\` has to announce \`${to}\`.`,
      },
      receivers: {
        severity: "warning",
        consequence: ({ name, to }) => `Receivers are sent \`${to}\` after \`${name}\` too.`,
      },
    },
    bump: "minor",
    why: "Receivers took the event for a sign of its other causes. The handler does not announce it yet.",
    todo: "Announce the event in the handler; tell receivers what causes it now.",
    before: lendBook(),
    after: lendBook("emits: [Loan.NEW]"),
    inverse: ["emits-removed"],
    mirror: waivers.answerOnly,
  },
  "emits-removed": {
    area: "events",
    summary: ({ name, from }) => `\`${name}\` no longer causes the event \`${from}\``,
    effects: {
      implementers: {
        severity: "warning",
        consequence: ({ name, from }) => `The handler of \`${name}\` must not announce \`${from}\` any more.`,
      },
      receivers: {
        severity: "breaking",
        consequence: ({ name, from }) => `Receivers no longer learn of \`${name}\` by \`${from}\`.`,
      },
    },
    bump: "major",
    why: "Receivers wait for an event that does not come.",
    todo: "Go on announcing it, or offer an event that takes its place first.",
    before: lendBook("emits: [Loan.NEW]"),
    after: lendBook(),
    inverse: ["emits-added"],
    mirror: waivers.answerOnly,
  },
  "method-id-pattern-changed": {
    area: "operations",
    summary: ({ name, from, to }) =>
      `the \`id\` of a request of \`${name}\` matches \`${to}\` now, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `Requests of \`${name}\` with other ids are refused, and get no result.`,
      },
    },
    bump: "major",
    why: "Callers make ids by themselves, and repeat those that they stored.",
    todo: "Take every id that was right before.",
    before: lendBook(),
    after: lendBook('requestId: { pattern: "^[A-Z]{3}-[0-9]{12}$" }'),
    inverse: ["method-id-pattern-changed", "method-id-pattern-widened"],
    mirror: waivers.requestOnly,
  },
  "method-id-pattern-widened": {
    area: "operations",
    summary: ({ name, from, to }) =>
      to === ""
        ? `the \`id\` of a request of \`${name}\` is any text now, no longer of \`${from}\``
        : `the \`id\` of a request of \`${name}\` matches \`${to}\` now, as all that matched \`${from}\` does`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Callers of \`${name}\` may use ids of their own making.`,
      },
    },
    bump: "minor",
    why: "What was right before is right now.",
    todo: "Nothing.",
    before: lendBook('requestId: { pattern: "^[0-9]{12,18}$" }'),
    after: lendBook(),
    inverse: ["method-id-pattern-changed", "method-id-pattern-widened"],
    mirror: waivers.requestOnly,
  },
  "jsonrpc-removed": {
    area: "operations",
    summary: ({ name }) => `the answer of \`${name}\` no longer carries \`jsonrpc\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `Callers whose JSON-RPC library looks for \`jsonrpc\` refuse the answer of \`${name}\`.`,
      },
    },
    bump: "major",
    why: "JSON-RPC libraries refuse answers without the member.",
    todo: "Keep `jsonrpc: present`.",
    before: lendBook("jsonrpc: present"),
    after: lendBook("jsonrpc: absent"),
    inverse: ["jsonrpc-added"],
    mirror: waivers.answerOnly,
  },
  "jsonrpc-added": {
    area: "operations",
    summary: ({ name }) => `the answer of \`${name}\` carries \`jsonrpc\` now`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) =>
          `Callers find \`jsonrpc\` beside the result of \`${name}\`, which those who ignore it do not notice.`,
      },
    },
    bump: "minor",
    why: "A constant member is added beside `result`.",
    todo: "Nothing. Configure readers that refuse unknown members to ignore it.",
    before: lendBook("jsonrpc: absent"),
    after: lendBook("jsonrpc: present"),
    inverse: ["jsonrpc-removed"],
    mirror: waivers.answerOnly,
  },
  "examples-changed": {
    area: "texts",
    summary: ({ name }) => `the examples of \`${name}\` were changed`,
    effects: { callers: { severity: "info", consequence: () => "Callers read other examples." } },
    bump: "patch",
    why: "Examples illustrate; what is promised stands elsewhere.",
    todo: "Nothing.",
    before: lendBook('examples:\n  - name: A week\n    payload: { id: "1" }\n    error: UNAUTHORIZED'),
    after: lendBook('examples:\n  - name: A novel\n    payload: { id: "1" }\n    error: UNAUTHORIZED'),
    inverse: ["examples-changed"],
    mirror: waivers.text,
  },
} as const satisfies Readonly<Record<string, Rule>>;
