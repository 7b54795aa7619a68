import { waivers } from "./rule.ts";
import { lendBook } from "./samples.ts";
import { ruleTable } from "./table.ts";

const none = "# there is no BookService.RenewLoan\n";
const renew = lendBook().replace("LendBook", "RenewLoan");
const extend = lendBook("renamedFrom: BookService.RenewLoan").replace("LendBook", "ExtendLoan");

/** Operations that come and go, and what is said of one as a whole. */
export const operationRules = ruleTable("operations", waivers.whole, {
  "method-added": {
    says: "the operation `{name}` was added",
    callers: "info: Callers may call `{name}`.",
    implementers:
      "warning: `generate` writes a stub for `{name}`, which refuses every call until it has a body.",
    why: "No caller used it before. A person has to write its handler.",
    todo: "Run `ledger-rpc generate` and write the body of the new handler.",
    example: [none, renew],
  },
  "method-removed": {
    says: "the operation `{name}` was removed",
    callers: "breaking: A call of `{name}` is refused as an unknown method.",
    implementers:
      "breaking: The handler of `{name}` has lost its types and is no longer called; its file stays.",
    why: "Every call of it fails. Nothing that is configured makes this less than breaking.",
    todo: "Mark the operation `deprecated` and keep it for a revision at least. If it has a new name, say so with `renamedFrom`.",
  },
  "method-renamed": {
    says: "the operation `{from}` is called `{to}` now",
    callers: "breaking: A call of `{from}` is refused as an unknown method.",
    implementers: "info: `generate` moves the handler file to `{to}`, body and all.",
    why: "Callers know an operation by its name.",
    todo: "Keep the old operation beside the new one, marked `deprecated`, for a revision at least.",
    example: [renew, extend],
    inverse: ["method-renamed", "method-added", "method-removed"],
  },
  "method-name-reused": {
    says: "`{name}` is another operation than the one that was called so",
    callers: "breaking: A call of `{name}` as it was does something else.",
    implementers: "breaking: A handler file of `{name}` that was kept is of the old operation.",
    why: "A name that belonged to one operation and now belongs to another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new operation a name that nothing had before.",
    example: [
      extend,
      extend.replace("    renamedFrom: BookService.RenewLoan\n", "") +
        renew.replace("methods:\n", "").replace("Lends a book.", "Buys the book."),
    ],
    inverse: ["method-removed"],
  },
  "effect-read-to-write": {
    says: "`{name}` changes something now: its effect is `{to}`, not `read`",
    callers: "breaking: A caller that repeats `{name}`, or calls it just to look, changes something.",
    implementers: "warning: The handler of `{name}` is given a context that writes.",
    why: "Reads are repeated, cached and called out of curiosity.",
    todo: "Offer a new operation for the change, and leave the read alone.",
    example: [lendBook("effect: read"), lendBook("effect: set")],
    inverse: ["effect-write-to-read"],
  },
  "effect-write-to-read": {
    says: "`{name}` changes nothing any more: its effect is `read`, not `{from}`",
    callers: "breaking: A caller that needs the effect of `{name}` waits for it in vain.",
    implementers: "breaking: The handler of `{name}` is given a context that cannot write.",
    why: "The change was what callers called it for.",
    todo: "Offer a new operation that reads, and leave this one alone.",
    inverse: ["effect-read-to-write"],
  },
  "effect-set-to-create": {
    says: "`{name}` makes something new each time: its effect is `create`, not `set`",
    callers: "breaking: A caller that repeats `{name}` under another request id gets it twice.",
    implementers: "warning: A repetition with the same id no longer reaches the handler of `{name}`.",
    why: "A `set` may be repeated as often as one likes; a `create` only under the same request id.",
    todo: "Offer a new operation that creates, and leave this one alone.",
    example: [lendBook("effect: set"), lendBook("effect: create")],
    inverse: ["effect-create-to-set"],
  },
  "effect-create-to-set": {
    says: "`{name}` reaches the same end state each time: its effect is `set`, not `create`",
    callers:
      "breaking: A second `{name}` makes nothing new, and a repetition is no longer answered from the first.",
    implementers: "warning: Repetitions reach the handler of `{name}`, which has to bear them.",
    why: "Callers who wanted two get one, and the first answer is no longer remembered for repetitions.",
    todo: "Offer a new operation that sets, and leave this one alone.",
    inverse: ["effect-set-to-create"],
  },
  "emits-added": {
    area: "events",
    says: "`{name}` causes the event `{to}` now",
    implementers: "breaking: The handler of `{name}` has to announce `{to}`.",
    receivers: "warning: Receivers are sent `{to}` after `{name}` too.",
    mirror: waivers.answerOnly,
    why: "Receivers took the event for a sign of its other causes. The handler does not announce it yet.",
    todo: "Announce the event in the handler; tell receivers what causes it now.",
    example: [lendBook(), lendBook("emits: [Loan.NEW]")],
  },
  "emits-removed": {
    area: "events",
    says: "`{name}` no longer causes the event `{from}`",
    implementers: "warning: The handler of `{name}` must not announce `{from}` any more.",
    receivers: "breaking: Receivers no longer learn of `{name}` by `{from}`.",
    mirror: waivers.answerOnly,
    why: "Receivers wait for an event that does not come.",
    todo: "Go on announcing it, or offer an event that takes its place first.",
  },
  "method-id-pattern-changed": {
    says: "the `id` of a request of `{name}` matches `{to}` now, not {from}",
    callers: "breaking: Requests of `{name}` with other ids are refused, and get no result.",
    mirror: waivers.requestOnly,
    why: "Callers make ids by themselves, and repeat those that they stored.",
    todo: "Take every id that was right before.",
    example: [lendBook(), lendBook('requestId: { pattern: "^[A-Z]{3}-[0-9]{12}$" }')],
    inverse: ["method-id-pattern-changed", "method-id-pattern-widened"],
  },
  "method-id-pattern-widened": {
    says: ({ name, from, to }) =>
      to === ""
        ? `the \`id\` of a request of \`${name}\` is any text now, no longer of \`${from}\``
        : `the \`id\` of a request of \`${name}\` matches \`${to}\` now, as all that matched \`${from}\` does`,
    callers: "info: Callers of `{name}` may use ids of their own making.",
    mirror: waivers.requestOnly,
    why: "What was right before is right now.",
    example: [lendBook('requestId: { pattern: "^[0-9]{12,18}$" }'), lendBook()],
    inverse: ["method-id-pattern-changed", "method-id-pattern-widened"],
  },
  "jsonrpc-removed": {
    says: "the answer of `{name}` no longer carries `jsonrpc`",
    callers: "breaking: Callers whose JSON-RPC library looks for `jsonrpc` refuse the answer of `{name}`.",
    mirror: waivers.answerOnly,
    why: "JSON-RPC libraries refuse answers without the member.",
    todo: "Keep `jsonrpc: present`.",
    example: [lendBook("jsonrpc: present"), lendBook("jsonrpc: absent")],
  },
  "jsonrpc-added": {
    says: "the answer of `{name}` carries `jsonrpc` now",
    callers:
      "info: Callers find `jsonrpc` beside the result of `{name}`, which those who ignore it do not notice.",
    mirror: waivers.answerOnly,
    why: "A constant member is added beside `result`.",
    todo: "Nothing. Configure readers that refuse unknown members to ignore it.",
  },
  "examples-changed": {
    area: "texts",
    says: "the examples of `{name}` were changed",
    callers: "info: Callers read other examples.",
    mirror: waivers.text,
    why: "Examples illustrate; what is promised stands elsewhere.",
    example: [
      lendBook('examples:\n  - name: A week\n    payload: { id: "1" }\n    error: UNAUTHORIZED'),
      lendBook('examples:\n  - name: A novel\n    payload: { id: "1" }\n    error: UNAUTHORIZED'),
    ],
  },
});

const flat = (selectors: string, fields: string): string =>
  `methods:\n  FindBook:\n    doc: Finds a book.\n    section: "2"\n    effect: read\n    flat: { selectedBy: ${selectors} }\n    payload:\n      fields:\n${fields}    result: Book\n`;
const twoFlat = (find: number, mark: number): string =>
  ["isbn", "title"]
    .map((name, at) => {
      const order = [find, mark][at];
      return `  ${["FindBook", "FindTitle"][at]}:\n    doc: Finds a book.\n    section: "2"\n    effect: read\n    flat: { selectedBy: [${name}], order: ${order} }\n    payload: { fields: [{ name: ${name}, type: string, doc: Which. }] }\n    result: Book\n`;
    })
    .reduce((text, method) => text + method, "methods:\n");
const optionalPair =
  "        - { name: isbn, type: string, optional: true, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n";
const findBook = flat("[isbn]", optionalPair);
const requiredFirst =
  "        - { name: isbn, type: string, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n";

/** How a body is recognized: by an envelope, or by its path and fields. */
export const flatBodyRules = ruleTable("operations", waivers.requestOnly, {
  "method-path-changed": {
    says: "`{name}` is at {to} now, not at {from}",
    callers: "breaking: A call of `{name}` that is sent to {from} is refused.",
    mirror: waivers.whole,
    why: "Each path has operations of its own: elsewhere, this one is unknown.",
    todo: "Serve the earlier revision as well, whose callers find the operation where it was.",
    example: [lendBook("path: /lending"), lendBook("path: /loans")],
  },
  "enveloped-to-flat": {
    says: "`{name}` is sent as a flat body now, without envelope",
    callers: "breaking: A call of `{name}` in an envelope is refused as an unknown method.",
    mirror: waivers.whole,
    why: "The whole shape of the request, of the answer and of the authentication is another one.",
    todo: "Offer the flat operation under another name.",
    example: [
      `methods:\n  FindBook:\n    doc: Finds a book.\n    section: "2"\n    effect: read\n    auth: [credential]\n    payload:\n      fields:\n${optionalPair}    result: Book\n`.replace(
        "FindBook",
        "BookService.FindBook",
      ),
      flat("[isbn]", optionalPair).replace("FindBook", "BookService.FindBook"),
    ],
    inverse: ["flat-to-enveloped"],
  },
  "flat-to-enveloped": {
    says: "`{name}` is sent in an envelope now, not as a flat body",
    callers: "breaking: A flat body as `{name}` took it is not recognised.",
    mirror: waivers.whole,
    why: "The whole shape of the request, of the answer and of the authentication is another one.",
    todo: "Offer the enveloped operation under another name.",
    inverse: ["enveloped-to-flat"],
  },
  "flat-selector-added": {
    says: "a flat body with `{to}` is `{name}` now",
    callers: "info: A body with `{to}` alone, which was refused, is `{name}`.",
    why: "More bodies are recognised; those that were still are.",
    example: [flat("[isbn]", optionalPair), flat("[isbn, title]", optionalPair)],
    inverse: ["flat-selector-removed", "flat-selector-restated"],
  },
  "flat-selector-removed": {
    says: "a flat body with `{from}` alone is no longer `{name}`",
    callers:
      "breaking: A body with `{from}` and no other selector is refused, or taken for another operation.",
    why: "A flat body carries no name: the fields are all that tells it from others.",
    todo: "Keep the selector.",
  },
  "flat-selector-restated": {
    says: "`{name}` differs from other flat bodies by {to}, not by {from}",
    callers: "info: Every complete body of `{name}` is still recognised.",
    bump: "patch",
    why: "A field that is required in every such body selects it before and after, so only incomplete bodies are answered otherwise.",
    example: [flat("[isbn, title]", requiredFirst), flat("[isbn]", requiredFirst)],
    inverse: ["flat-selector-restated", "flat-selector-added"],
  },
  "flat-bodies-taken": {
    says: ({ name, from, to }) =>
      from === ""
        ? `every flat body of \`${to}\` is \`${name}\` now`
        : `a flat body of \`${to}\` with \`${from}\` is \`${name}\` now`,
    callers: {
      severity: "breaking",
      consequence: ({ name, from, to }) =>
        from === ""
          ? `Every body of \`${to}\` calls \`${name}\` instead.`
          : `A complete body of \`${to}\` that carries \`${from}\` calls \`${name}\` instead.`,
    },
    why: "A flat body carries no name: it calls the first operation that one of its fields selects.",
    todo: "Give the new operation a later `order`, or select it by a field that no other operation takes.",
    example: [
      findBook,
      findBook +
        flat("[title]", optionalPair)
          .replace("methods:\n", "")
          .replace("FindBook", "FindTitle")
          .replace("] }", "], order: 1 }"),
    ],
    inverse: ["method-removed"],
  },
  "flat-order-changed": {
    says: "a flat body of both `{name}` and `{to}` is `{name}` now",
    callers:
      "warning: A body with what selects `{to}` and what selects `{name}` was `{to}`, and is `{name}`.",
    why: "A body that has what selects two operations is the first of them: by `order`, section and name.",
    todo: "Send the fields of one operation alone.",
    example: [twoFlat(1, 2), twoFlat(2, 1)],
  },
});

const form = (name: string, kind: string, ...fields: readonly string[]): string =>
  `    ${name}:\n      doc: For the ${name}.\n      fields:\n        - { name: kind, type: string, const: ${kind}, doc: Always ${kind}. }${fields.map((field) => `\n        - ${field}`).join("")}`;
const forms = (selector: string, ...list: readonly string[]): string =>
  lendBook(`payload:\n  selectedBy: ${selector}\n  forms:\n${list.join("\n")}`);
const single = (...fields: readonly string[]): string =>
  lendBook(`payload:\n  fields:\n${fields.map((field) => `    - ${field}`).join("\n")}`);
const kind = "{ name: kind, type: string, const: ADULT, doc: Always ADULT. }";
const anyKind = "{ name: kind, type: string, doc: Any kind. }";
const guardian = "{ name: guardian, type: string, doc: Who answers for them. }";

/** Whether a payload is one object, or has several forms. */
export const formRules = ruleTable("operations", waivers.requestOnly, {
  "form-added": {
    says: "{of} may have the form `{name}` now",
    callers: "info: Requests may take the form `{name}`.",
    implementers: "breaking: The handler has to know the form `{name}`.",
    why: "Callers who use the old forms notice nothing. A handler that tells the forms apart has no branch for the new one.",
    todo: "Write what the handler does with the new form.",
    example: [
      forms("kind", form("adult", "ADULT")),
      forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    ],
  },
  "form-removed": {
    says: "{of} can no longer have the form `{name}`",
    callers: "breaking: A request of the form `{name}` is refused.",
    implementers:
      "warning: What the handler does with the form `{name}` is dead code, and its types are gone.",
    why: "Callers that send the form are refused.",
    todo: "Mark the form `deprecated` and keep it for a revision at least.",
  },
  "form-renamed": {
    says: "the form `{from}` of {of} is called `{to}` now",
    callers: "warning: Nothing changes on the wire; the generated type has another name.",
    implementers: "warning: The generated type has another name.",
    bump: "major",
    why: "The name of a form is only in the name of its generated type.",
    todo: "Keep the name; or rename the type where it is imported.",
    example: [forms("kind", form("adult", "ADULT")), forms("kind", form("grownup", "ADULT"))],
  },
  "forms-selector-changed": {
    says: "the form of {of} is chosen by {to} now, not by {from}",
    callers: "breaking: A request is taken for a form by {to}, which may be another one than before.",
    implementers: "breaking: The handler tells the forms apart by {to}.",
    why: "The same request may be read as another form, or as none.",
    todo: "Keep the selector, or offer the forms as operations of their own.",
    example: [
      forms("stored", form("adult", "ADULT"), form("child", "CHILD")),
      forms("kind", form("adult", "ADULT"), form("child", "CHILD")),
    ],
  },
  "payload-to-forms": {
    says: "{of} has to take one of several forms now: {to}",
    callers: "breaking: Not every request that was right fits one of the forms.",
    implementers: "breaking: The payload of the handler is a union of the forms.",
    why: "None of the forms takes everything that the one payload took.",
    todo: "Give one of the forms exactly the old fields.",
    example: [single(anyKind), forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian))],
    inverse: ["forms-to-payload", "forms-to-payload-compatibly"],
  },
  "payload-to-forms-compatibly": {
    says: "{of} may take one of several forms now: {to}; `{from}` takes what was right before",
    callers: "info: Requests as they were are of one of the forms.",
    implementers: "breaking: The payload of the handler is a union of the forms.",
    why: "One of the forms takes everything that the one payload took.",
    todo: "Write what the handler does with the other forms.",
    example: [single(kind), forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian))],
    inverse: ["forms-to-payload", "forms-to-payload-compatibly"],
  },
  "forms-to-payload": {
    says: "{of} no longer has forms ({from}): it is one object",
    callers: "breaking: Not every request that was right in one of the forms still is.",
    implementers: "breaking: The payload of the handler is one type; those of the forms are gone.",
    why: "The one payload refuses some of what one of the forms took.",
    todo: "Make optional whatever is not in every form.",
    example: [forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)), single(kind)],
    inverse: ["payload-to-forms", "payload-to-forms-compatibly"],
  },
  "forms-to-payload-compatibly": {
    says: "{of} no longer has forms ({from}): it is one object that takes them all",
    callers: "info: Requests as they were, of whichever form, are right.",
    implementers: "breaking: The payload of the handler is one type; those of the forms are gone.",
    why: "The one payload takes everything that the forms took.",
    todo: "Write the handler against the one type.",
    example: [
      forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
      single(anyKind, guardian.replace("type: string", "type: string, optional: true")),
    ],
    inverse: ["payload-to-forms", "payload-to-forms-compatibly"],
  },
});
