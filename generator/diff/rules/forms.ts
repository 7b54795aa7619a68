import { waivers, type Rule } from "../model/rule.ts";
import { lendBook } from "./samples.ts";

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
export const formRules = {
  "form-added": {
    area: "operations",
    summary: ({ name, of }) => `${of} may have the form \`${name}\` now`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Requests may take the form \`${name}\`.` },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The handler has to know the form \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "Callers who use the old forms notice nothing. A handler that tells the forms apart has no branch for the new one.",
    todo: "Write what the handler does with the new form.",
    before: forms("kind", form("adult", "ADULT")),
    after: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    inverse: ["form-removed"],
    mirror: waivers.requestOnly,
  },
  "form-removed": {
    area: "operations",
    summary: ({ name, of }) => `${of} can no longer have the form \`${name}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A request of the form \`${name}\` is refused.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) =>
          `What the handler does with the form \`${name}\` is dead code, and its types are gone.`,
      },
    },
    bump: "major",
    why: "Callers that send the form are refused.",
    todo: "Mark the form `deprecated` and keep it for a revision at least.",
    before: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    after: forms("kind", form("adult", "ADULT")),
    inverse: ["form-added"],
    mirror: waivers.requestOnly,
  },
  "form-renamed": {
    area: "operations",
    summary: ({ from, to, of }) => `the form \`${from}\` of ${of} is called \`${to}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: () => "Nothing changes on the wire; the generated type has another name.",
      },
      implementers: { severity: "warning", consequence: () => "The generated type has another name." },
    },
    bump: "major",
    why: "The name of a form is only in the name of its generated type.",
    todo: "Keep the name; or rename the type where it is imported.",
    before: forms("kind", form("adult", "ADULT")),
    after: forms("kind", form("grownup", "ADULT")),
    inverse: ["form-renamed"],
    mirror: waivers.requestOnly,
  },
  "forms-selector-changed": {
    area: "operations",
    summary: ({ of, from, to }) => `the form of ${of} is chosen by ${to} now, not by ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ to }) =>
          `A request is taken for a form by ${to}, which may be another one than before.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ to }) => `The handler tells the forms apart by ${to}.`,
      },
    },
    bump: "major",
    why: "The same request may be read as another form, or as none.",
    todo: "Keep the selector, or offer the forms as operations of their own.",
    before: forms("stored", form("adult", "ADULT"), form("child", "CHILD")),
    after: forms("kind", form("adult", "ADULT"), form("child", "CHILD")),
    inverse: ["forms-selector-changed"],
    mirror: waivers.requestOnly,
  },
  "payload-to-forms": {
    area: "operations",
    summary: ({ of, to }) => `${of} has to take one of several forms now: ${to}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: () => "Not every request that was right fits one of the forms.",
      },
      implementers: {
        severity: "breaking",
        consequence: () => "The payload of the handler is a union of the forms.",
      },
    },
    bump: "major",
    why: "None of the forms takes everything that the one payload took.",
    todo: "Give one of the forms exactly the old fields.",
    before: single(anyKind),
    after: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    inverse: ["forms-to-payload", "forms-to-payload-compatibly"],
    mirror: waivers.requestOnly,
  },
  "payload-to-forms-compatibly": {
    area: "operations",
    summary: ({ of, from, to }) =>
      `${of} may take one of several forms now: ${to}; \`${from}\` takes what was right before`,
    effects: {
      callers: { severity: "info", consequence: () => "Requests as they were are of one of the forms." },
      implementers: {
        severity: "breaking",
        consequence: () => "The payload of the handler is a union of the forms.",
      },
    },
    bump: "minor",
    why: "One of the forms takes everything that the one payload took.",
    todo: "Write what the handler does with the other forms.",
    before: single(kind),
    after: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    inverse: ["forms-to-payload", "forms-to-payload-compatibly"],
    mirror: waivers.requestOnly,
  },
  "forms-to-payload": {
    area: "operations",
    summary: ({ of, from }) => `${of} no longer has forms (${from}): it is one object`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: () => "Not every request that was right in one of the forms still is.",
      },
      implementers: {
        severity: "breaking",
        consequence: () => "The payload of the handler is one type; those of the forms are gone.",
      },
    },
    bump: "major",
    why: "The one payload refuses some of what one of the forms took.",
    todo: "Make optional whatever is not in every form.",
    before: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    after: single(kind),
    inverse: ["payload-to-forms", "payload-to-forms-compatibly"],
    mirror: waivers.requestOnly,
  },
  "forms-to-payload-compatibly": {
    area: "operations",
    summary: ({ of, from }) => `${of} no longer has forms (${from}): it is one object that takes them all`,
    effects: {
      callers: {
        severity: "info",
        consequence: () => "Requests as they were, of whichever form, are right.",
      },
      implementers: {
        severity: "breaking",
        consequence: () => "The payload of the handler is one type; those of the forms are gone.",
      },
    },
    bump: "minor",
    why: "The one payload takes everything that the forms took.",
    todo: "Write the handler against the one type.",
    before: forms("kind", form("adult", "ADULT"), form("child", "CHILD", guardian)),
    after: single(anyKind, guardian.replace("type: string", "type: string, optional: true")),
    inverse: ["payload-to-forms", "payload-to-forms-compatibly"],
    mirror: waivers.requestOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
