import { waivers, type Rule } from "../model/rule.ts";
import { lendBook } from "./samples.ts";

const callerOnly = (
  severity: "info" | "warning" | "breaking",
  consequence: Rule["summary"],
): Rule["effects"] => ({
  callers: { severity, consequence },
});

/** Which codes an operation gives, and what it says of each. */
export const methodErrorRules = {
  "method-error-added": {
    area: "errors",
    summary: ({ name, of }) => `\`${of}\` can give \`${name}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name, of }) =>
          `Callers of \`${of}\` meet \`${name}\`, for which they have no branch.`,
      },
      implementers: {
        severity: "info",
        consequence: ({ name, of }) => `The handler of \`${of}\` may throw \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "Callers who tell the codes apart do not know it here.",
    todo: "Tell callers to treat an unknown code as a failure.",
    before: lendBook(),
    after: lendBook("errors: { CONFLICT: {} }"),
    inverse: ["method-error-removed"],
    mirror: waivers.answerOnly,
  },
  "method-error-removed": {
    area: "errors",
    summary: ({ name, of }) => `\`${of}\` can no longer give \`${name}\``,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name, of }) =>
          `Callers of \`${of}\` wait for \`${name}\` in vain: its case is answered otherwise.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name, of }) =>
          `The handler of \`${of}\` no longer compiles where it throws \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "What was answered with it is answered otherwise, or not refused at all.",
    todo: "Say in the method's `doc` what happens in that case now.",
    before: lendBook("errors: { CONFLICT: {} }"),
    after: lendBook(),
    inverse: ["method-error-added"],
    mirror: waivers.answerOnly,
  },
  "method-error-restated": {
    area: "texts",
    summary: ({ name, of, to }) =>
      to === ""
        ? `\`${of}\` no longer lists \`${name}\`, which it can give all the same`
        : `\`${of}\` lists \`${name}\`, which it could give before`,
    effects: callerOnly("info", () => "The same codes can be given as before."),
    bump: "patch",
    why: "A code that every method gives need not be listed; it may be, to give it a text or a section.",
    todo: "Nothing.",
    before: lendBook(),
    after: lendBook("errors: { UNAUTHORIZED: {} }"),
    inverse: ["method-error-restated"],
    mirror: waivers.text,
  },
  "method-error-message-changed": {
    area: "errors",
    summary: ({ name, of, from, to }) => `\`${of}\` gives \`${name}\` with the message ${to}, not ${from}`,
    effects: callerOnly(
      "warning",
      ({ name, of }) =>
        `Callers of \`${of}\` who show or compare the message of \`${name}\` find another one.`,
    ),
    bump: "minor",
    why: "Callers should branch on the code; some compare the text.",
    todo: "Keep the message.",
    before: lendBook("errors:\n  CONFLICT: { message: The book is out }"),
    after: lendBook("errors:\n  CONFLICT: { message: The book is lent }"),
    inverse: ["method-error-message-changed"],
    mirror: waivers.answerOnly,
  },
  "method-error-condition-changed": {
    area: "errors",
    summary: ({ name, of, from, to }) => `\`${of}\` gives \`${name}\` in another case: ${to}, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, of }) =>
          `Callers of \`${of}\` who act on \`${name}\` act in other cases than they were written for.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name, of }) => `The handler of \`${of}\` has to throw \`${name}\` in other cases.`,
      },
    },
    bump: "major",
    why: "The code is the same and means something else. This tool cannot tell wording from meaning; where only words changed, an exception says so.",
    todo: "Add an error for the new case.",
    before: lendBook("errors:\n  CONFLICT: { condition: The book is out. }"),
    after: lendBook("errors:\n  CONFLICT: { condition: The reader has the book already. }"),
    inverse: ["method-error-condition-changed"],
    mirror: waivers.answerOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
