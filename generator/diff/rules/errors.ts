import { waivers } from "./rule.ts";
import { lendBook, overdue } from "./samples.ts";
import { ruleTable } from "./table.ts";

const none = "# there is no OVERDUE\n";
const tooLate = overdue("renamedFrom: OVERDUE").replace("  OVERDUE:", "  TOO_LATE:");
const gone =
  "interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\nmethods:\n  list: { errors: { GONE: {} } }\nerrors:\n  GONE: { code: -32010, message: Gone }\n";

/** Error codes: which there are, and what they mean. */
export const errorRules = ruleTable("errors", waivers.answerOnly, {
  "error-added": {
    says: "the error `{name}` was added",
    callers: "info: Callers may meet `{name}` where a method declares it.",
    why: "A code by itself does nothing: the methods that give it are changes of their own.",
    example: [none, overdue()],
  },
  "error-removed": {
    says: "the error `{name}` was removed",
    callers: "warning: Callers never meet `{name}`, and code that compares with it no longer compiles.",
    implementers: "breaking: Handlers that throw `{name}` no longer compile.",
    bump: "major",
    why: "What was answered with it is answered otherwise, or not refused at all. The client's type of all codes loses one.",
    todo: "Keep the code in the spec, marked `deprecated`, until no client is left that knows it.",
  },
  "error-renamed": {
    says: "the error `{from}` is called `{to}` now",
    callers: "breaking: Callers who look for `{from}` meet `{to}`.",
    implementers: "breaking: Handlers that throw `{from}` no longer compile: it is `{to}`.",
    why: "Callers branch on the code.",
    todo: "Keep the code; its message and text may change.",
    example: [overdue(), tooLate],
    inverse: ["error-renamed", "error-added", "error-removed"],
  },
  "error-renamed-in-code": {
    says: "the error `{from}` is called `{to}` in generated code now",
    callers: "warning: Nothing changes on the wire; code that names `{from}` no longer compiles.",
    implementers: "breaking: Handlers that throw `{from}` no longer compile: it is `{to}`.",
    bump: "major",
    why: "Answers carry the code, which is the same; only generated code knows the name.",
    todo: "Rename it where your code names it.",
    example: [
      gone,
      gone.replaceAll("GONE", "LOST").replace("message: Gone", "message: Gone, renamedFrom: GONE"),
    ],
    inverse: ["error-renamed-in-code", "error-added", "error-removed"],
  },
  "error-name-reused": {
    says: "`{name}` is another error than the one that was called so",
    callers: "breaking: Callers take `{name}` for what it was.",
    implementers: "breaking: Handlers that throw `{name}` say something else.",
    why: "A code that meant one thing and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new error a code that nothing had before.",
    example: [
      tooLate,
      overdue().replace("  OVERDUE:", "  TOO_LATE:") +
        overdue("rpcCode: -32021", "doc: The loan ran out.").replace("errors:\n", ""),
    ],
    inverse: ["error-removed"],
  },
  "error-message-changed": {
    says: "the message of `{name}` is {to} now, not {from}",
    callers: "warning: Callers who show or compare the message of `{name}` find another one.",
    why: "Callers should branch on the code; some compare the text.",
    todo: "Keep the message, and put what is new into `doc` or `action`.",
    example: [overdue(), overdue("message: Please bring it back first")],
  },
  "error-condition-changed": {
    says: "`{name}` is given in another case: {to}, not {from}",
    callers: "breaking: Callers who act on `{name}` act in other cases than they were written for.",
    implementers: "warning: Handlers have to throw `{name}` in other cases.",
    why: "The code is the same and means something else: what callers do about it may be wrong. This tool cannot tell wording from meaning; where only words changed, an exception says so.",
    todo: "Add an error for the new case.",
    example: [overdue(), overdue("condition: The reader has three books.")],
  },
  "error-action-changed": {
    says: "what callers can do about `{name}` is put otherwise: {to}, not {from}",
    callers: "info: Callers are advised otherwise about `{name}`.",
    bump: "patch",
    why: "The advice is for people, and is not sent.",
    example: [overdue(), overdue("action: Bring it back or renew the loan.")],
  },
  "error-status-changed": {
    says: "the HTTP status of `{name}` is {to} now, not {from}",
    callers:
      "breaking: Callers of a server that maps codes to statuses get {to} instead of {from} for `{name}`.",
    why: "Proxies, retries and client libraries act on the status.",
    todo: "Keep the status.",
    example: [overdue(), overdue("httpStatus: 403")],
  },
  "error-status-unsent": {
    says: "the HTTP status of `{name}`, which is never sent, is {to}, not {from}",
    callers: "info: Callers get 200 with `{name}`, as before.",
    bump: "patch",
    why: "The interface answers every error with status 200 (`wire.http.status: ok`).",
    example: [gone, gone.replace("message: Gone", "message: Gone, httpStatus: 410")],
  },
  "error-rpc-code-changed": {
    says: "the JSON-RPC number of `{name}` is {to} now, not {from}",
    callers: "breaking: Callers who look at `data.rpcCode` find {to} instead of {from} for `{name}`.",
    why: "JSON-RPC libraries know an error by its number.",
    todo: "Keep the number.",
    example: [overdue(), overdue("rpcCode: -32021")],
  },
  "rpc-code-reused": {
    says: "{to}, the JSON-RPC number of `{name}`, was that of `{from}`",
    callers: "breaking: Callers who look at `data.rpcCode` take `{name}` for `{from}`: both are {to}.",
    why: "A number that meant one error and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new error a number that none had before.",
    example: [overdue(), overdue().replace("OVERDUE", "NO_CARD")],
    inverse: [],
  },
  "error-every-method-set": {
    says: "every method can give `{name}` now",
    callers: "warning: Callers may meet `{name}` everywhere.",
    implementers: "info: Every handler may throw `{name}`.",
    why: "Callers of the methods that did not give it have no branch for it.",
    todo: "Declare the code at the methods that give it.",
    example: [overdue(), overdue("everyMethod: true")],
    inverse: ["error-every-method-unset", "error-removed"],
  },
  "error-every-method-unset": {
    says: "only methods that declare it can give `{name}` now",
    callers: "warning: Callers meet `{name}` only where it is declared.",
    implementers: "breaking: Handlers that throw `{name}` without declaring it no longer compile.",
    why: "What was answered with it is answered otherwise.",
    todo: "Declare the code at every method that gives it.",
  },
});

/** Which codes an operation gives, and what it says of each. */
export const methodErrorRules = ruleTable("errors", waivers.answerOnly, {
  "method-error-added": {
    says: "`{of}` can give `{name}` now",
    callers: "warning: Callers of `{of}` meet `{name}`, for which they have no branch.",
    implementers: "info: The handler of `{of}` may throw `{name}`.",
    why: "Callers who tell the codes apart do not know it here.",
    todo: "Tell callers to treat an unknown code as a failure.",
    example: [lendBook(), lendBook("errors: { CONFLICT: {} }")],
  },
  "method-error-removed": {
    says: "`{of}` can no longer give `{name}`",
    callers: "warning: Callers of `{of}` wait for `{name}` in vain: its case is answered otherwise.",
    implementers: "breaking: The handler of `{of}` no longer compiles where it throws `{name}`.",
    why: "What was answered with it is answered otherwise, or not refused at all.",
    todo: "Say in the method's `doc` what happens in that case now.",
  },
  "method-error-restated": {
    area: "texts",
    says: ({ name, of, to }) =>
      to === ""
        ? `\`${of}\` no longer lists \`${name}\`, which it can give all the same`
        : `\`${of}\` lists \`${name}\`, which it could give before`,
    callers: "info: The same codes can be given as before.",
    mirror: waivers.text,
    why: "A code that every method gives need not be listed; it may be, to give it a text or a section.",
    example: [lendBook(), lendBook("errors: { UNAUTHORIZED: {} }")],
  },
  "method-error-message-changed": {
    says: "`{of}` gives `{name}` with the message {to}, not {from}",
    callers: "warning: Callers of `{of}` who show or compare the message of `{name}` find another one.",
    why: "Callers should branch on the code; some compare the text.",
    todo: "Keep the message.",
    example: [
      lendBook("errors:\n  CONFLICT: { message: The book is out }"),
      lendBook("errors:\n  CONFLICT: { message: The book is lent }"),
    ],
  },
  "method-error-condition-changed": {
    says: "`{of}` gives `{name}` in another case: {to}, not {from}",
    callers: "breaking: Callers of `{of}` who act on `{name}` act in other cases than they were written for.",
    implementers: "warning: The handler of `{of}` has to throw `{name}` in other cases.",
    why: "The code is the same and means something else. This tool cannot tell wording from meaning; where only words changed, an exception says so.",
    todo: "Add an error for the new case.",
    example: [
      lendBook("errors:\n  CONFLICT: { condition: The book is out. }"),
      lendBook("errors:\n  CONFLICT: { condition: The reader has the book already. }"),
    ],
  },
});
