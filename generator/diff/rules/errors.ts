import { waivers, type Rule } from "../model/rule.ts";
import { overdue } from "./samples.ts";

const none = "# there is no OVERDUE\n";
const tooLate = overdue("renamedFrom: OVERDUE").replace("  OVERDUE:", "  TOO_LATE:");
const gone =
  "interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\nmethods:\n  list: { errors: { GONE: {} } }\nerrors:\n  GONE: { code: -32010, message: Gone }\n";
const callerOnly = (
  severity: "info" | "warning" | "breaking",
  consequence: Rule["summary"],
): Rule["effects"] => ({
  callers: { severity, consequence },
});

/** Error codes: which there are, and what they mean. */
export const errorRules = {
  "error-added": {
    area: "errors",
    summary: ({ name }) => `the error \`${name}\` was added`,
    effects: callerOnly("info", ({ name }) => `Callers may meet \`${name}\` where a method declares it.`),
    bump: "minor",
    why: "A code by itself does nothing: the methods that give it are changes of their own.",
    todo: "Nothing.",
    before: none,
    after: overdue(),
    inverse: ["error-removed"],
    mirror: waivers.answerOnly,
  },
  "error-removed": {
    area: "errors",
    summary: ({ name }) => `the error \`${name}\` was removed`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) =>
          `Callers never meet \`${name}\`, and code that compares with it no longer compiles.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that throw \`${name}\` no longer compile.`,
      },
    },
    bump: "major",
    why: "What was answered with it is answered otherwise, or not refused at all. The client's type of all codes loses one.",
    todo: "Keep the code in the spec, marked `deprecated`, until no client is left that knows it.",
    before: overdue(),
    after: none,
    inverse: ["error-added"],
    mirror: waivers.answerOnly,
  },
  "error-renamed": {
    area: "errors",
    summary: ({ from, to }) => `the error \`${from}\` is called \`${to}\` now`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from, to }) => `Callers who look for \`${from}\` meet \`${to}\`.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ from, to }) => `Handlers that throw \`${from}\` no longer compile: it is \`${to}\`.`,
      },
    },
    bump: "major",
    why: "Callers branch on the code.",
    todo: "Keep the code; its message and text may change.",
    before: overdue(),
    after: tooLate,
    inverse: ["error-renamed", "error-added", "error-removed"],
    mirror: waivers.answerOnly,
  },
  "error-renamed-in-code": {
    area: "errors",
    summary: ({ from, to }) => `the error \`${from}\` is called \`${to}\` in generated code now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) =>
          `Nothing changes on the wire; code that names \`${from}\` no longer compiles.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ from, to }) => `Handlers that throw \`${from}\` no longer compile: it is \`${to}\`.`,
      },
    },
    bump: "major",
    why: "Answers carry the code, which is the same; only generated code knows the name.",
    todo: "Rename it where your code names it.",
    before: gone,
    after: gone.replaceAll("GONE", "LOST").replace("message: Gone", "message: Gone, renamedFrom: GONE"),
    inverse: ["error-renamed-in-code", "error-added", "error-removed"],
    mirror: waivers.answerOnly,
  },
  "error-name-reused": {
    area: "errors",
    summary: ({ name }) => `\`${name}\` is another error than the one that was called so`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `Callers take \`${name}\` for what it was.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that throw \`${name}\` say something else.`,
      },
    },
    bump: "major",
    why: "A code that meant one thing and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new error a code that nothing had before.",
    before: tooLate,
    after:
      overdue().replace("  OVERDUE:", "  TOO_LATE:") +
      overdue("rpcCode: -32021", "doc: The loan ran out.").replace("errors:\n", ""),
    inverse: ["error-removed"],
    mirror: waivers.answerOnly,
  },
  "error-message-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `the message of \`${name}\` is ${to} now, not ${from}`,
    effects: callerOnly(
      "warning",
      ({ name }) => `Callers who show or compare the message of \`${name}\` find another one.`,
    ),
    bump: "minor",
    why: "Callers should branch on the code; some compare the text.",
    todo: "Keep the message, and put what is new into `doc` or `action`.",
    before: overdue(),
    after: overdue("message: Please bring it back first"),
    inverse: ["error-message-changed"],
    mirror: waivers.answerOnly,
  },
  "error-condition-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `\`${name}\` is given in another case: ${to}, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) =>
          `Callers who act on \`${name}\` act in other cases than they were written for.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Handlers have to throw \`${name}\` in other cases.`,
      },
    },
    bump: "major",
    why: "The code is the same and means something else: what callers do about it may be wrong. This tool cannot tell wording from meaning; where only words changed, an exception says so.",
    todo: "Add an error for the new case.",
    before: overdue(),
    after: overdue("condition: The reader has three books."),
    inverse: ["error-condition-changed"],
    mirror: waivers.answerOnly,
  },
  "error-action-changed": {
    area: "errors",
    summary: ({ name, from, to }) =>
      `what callers can do about \`${name}\` is put otherwise: ${to}, not ${from}`,
    effects: callerOnly("info", ({ name }) => `Callers are advised otherwise about \`${name}\`.`),
    bump: "patch",
    why: "The advice is for people, and is not sent.",
    todo: "Nothing.",
    before: overdue(),
    after: overdue("action: Bring it back or renew the loan."),
    inverse: ["error-action-changed"],
    mirror: waivers.answerOnly,
  },
  "error-status-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `the HTTP status of \`${name}\` is ${to} now, not ${from}`,
    effects: callerOnly(
      "breaking",
      ({ name, from, to }) =>
        `Callers of a server that maps codes to statuses get ${to} instead of ${from} for \`${name}\`.`,
    ),
    bump: "major",
    why: "Proxies, retries and client libraries act on the status.",
    todo: "Keep the status.",
    before: overdue(),
    after: overdue("httpStatus: 403"),
    inverse: ["error-status-changed"],
    mirror: waivers.answerOnly,
  },
  "error-status-unsent": {
    area: "errors",
    summary: ({ name, from, to }) =>
      `the HTTP status of \`${name}\`, which is never sent, is ${to}, not ${from}`,
    effects: callerOnly("info", ({ name }) => `Callers get 200 with \`${name}\`, as before.`),
    bump: "patch",
    why: "The interface answers every error with status 200 (`wire.http.status: ok`).",
    todo: "Nothing.",
    before: gone,
    after: gone.replace("message: Gone", "message: Gone, httpStatus: 410"),
    inverse: ["error-status-unsent"],
    mirror: waivers.answerOnly,
  },
  "error-rpc-code-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `the JSON-RPC number of \`${name}\` is ${to} now, not ${from}`,
    effects: callerOnly(
      "breaking",
      ({ name, from, to }) =>
        `Callers who look at \`data.rpcCode\` find ${to} instead of ${from} for \`${name}\`.`,
    ),
    bump: "major",
    why: "JSON-RPC libraries know an error by its number.",
    todo: "Keep the number.",
    before: overdue(),
    after: overdue("rpcCode: -32021"),
    inverse: ["error-rpc-code-changed"],
    mirror: waivers.answerOnly,
  },
  "rpc-code-reused": {
    area: "errors",
    summary: ({ name, from, to }) => `${to}, the JSON-RPC number of \`${name}\`, was that of \`${from}\``,
    effects: callerOnly(
      "breaking",
      ({ name, from, to }) =>
        `Callers who look at \`data.rpcCode\` take \`${name}\` for \`${from}\`: both are ${to}.`,
    ),
    bump: "major",
    why: "A number that meant one error and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new error a number that none had before.",
    before: overdue(),
    after: overdue().replace("OVERDUE", "NO_CARD"),
    inverse: [],
    mirror: waivers.answerOnly,
  },
  "error-every-method-set": {
    area: "errors",
    summary: ({ name }) => `every method can give \`${name}\` now`,
    effects: {
      callers: { severity: "warning", consequence: ({ name }) => `Callers may meet \`${name}\` everywhere.` },
      implementers: { severity: "info", consequence: ({ name }) => `Every handler may throw \`${name}\`.` },
    },
    bump: "minor",
    why: "Callers of the methods that did not give it have no branch for it.",
    todo: "Declare the code at the methods that give it.",
    before: overdue(),
    after: overdue("everyMethod: true"),
    inverse: ["error-every-method-unset", "error-removed"],
    mirror: waivers.answerOnly,
  },
  "error-every-method-unset": {
    area: "errors",
    summary: ({ name }) => `only methods that declare it can give \`${name}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Callers meet \`${name}\` only where it is declared.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that throw \`${name}\` without declaring it no longer compile.`,
      },
    },
    bump: "minor",
    why: "What was answered with it is answered otherwise.",
    todo: "Declare the code at every method that gives it.",
    before: overdue("everyMethod: true"),
    after: overdue(),
    inverse: ["error-every-method-set"],
    mirror: waivers.answerOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
