import { waivers, type Rule } from "../model/rule.ts";
import { lendBook } from "./samples.ts";

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
const requiredFirst =
  "        - { name: isbn, type: string, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n";

const form = (name: string, kind: string, ...fields: readonly string[]): string =>
  `    ${name}:\n      doc: For the ${name}.\n      fields:\n        - { name: kind, type: string, const: ${kind}, doc: Always ${kind}. }${fields.map((field) => `\n        - ${field}`).join("")}`;
const forms = (selector: string, ...list: readonly string[]): string =>
  lendBook(`payload:\n  selectedBy: ${selector}\n  forms:\n${list.join("\n")}`);
const single = (...fields: readonly string[]): string =>
  lendBook(`payload:\n  fields:\n${fields.map((field) => `    - ${field}`).join("\n")}`);
const kind = "{ name: kind, type: string, const: ADULT, doc: Always ADULT. }";
const anyKind = "{ name: kind, type: string, doc: Any kind. }";
const guardian = "{ name: guardian, type: string, doc: Who answers for them. }";

/** How a body is recognized: envelope or flat, one payload or several forms. */
export const bodyRules = {
  "method-path-changed": {
    area: "operations",
    summary: ({ name, from, to }) => `\`${name}\` is at ${to} now, not at ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `A call of \`${name}\` that is sent to ${from} is refused.`,
      },
    },
    bump: "major",
    why: "Each path has operations of its own: elsewhere, this one is unknown.",
    todo: "Serve the earlier revision as well, whose callers find the operation where it was.",
    before: lendBook("path: /lending"),
    after: lendBook("path: /loans"),
    inverse: ["method-path-changed"],
    mirror: waivers.whole,
  },
  "enveloped-to-flat": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` is sent as a flat body now, without envelope`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A call of \`${name}\` in an envelope is refused as an unknown method.`,
      },
    },
    bump: "major",
    why: "The whole shape of the request, of the answer and of the authentication is another one.",
    todo: "Offer the flat operation under another name.",
    before:
      `methods:\n  FindBook:\n    doc: Finds a book.\n    section: "2"\n    effect: read\n    auth: [credential]\n    payload:\n      fields:\n${optionalPair}    result: Book\n`.replace(
        "FindBook",
        "BookService.FindBook",
      ),
    after: flat("[isbn]", optionalPair).replace("FindBook", "BookService.FindBook"),
    inverse: ["flat-to-enveloped"],
    mirror: waivers.whole,
  },
  "flat-to-enveloped": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` is sent in an envelope now, not as a flat body`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `A flat body as \`${name}\` took it is not recognised.`,
      },
    },
    bump: "major",
    why: "The whole shape of the request, of the answer and of the authentication is another one.",
    todo: "Offer the enveloped operation under another name.",
    before: flat("[isbn]", optionalPair).replace("FindBook", "BookService.FindBook"),
    after:
      `methods:\n  FindBook:\n    doc: Finds a book.\n    section: "2"\n    effect: read\n    auth: [credential]\n    payload:\n      fields:\n${optionalPair}    result: Book\n`.replace(
        "FindBook",
        "BookService.FindBook",
      ),
    inverse: ["enveloped-to-flat"],
    mirror: waivers.whole,
  },
  "flat-selector-added": {
    area: "operations",
    summary: ({ name, to }) => `a flat body with \`${to}\` is \`${name}\` now`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name, to }) => `A body with \`${to}\` alone, which was refused, is \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "More bodies are recognised; those that were still are.",
    todo: "Nothing.",
    before: flat("[isbn]", optionalPair),
    after: flat("[isbn, title]", optionalPair),
    inverse: ["flat-selector-removed", "flat-selector-restated"],
    mirror: waivers.requestOnly,
  },
  "flat-selector-removed": {
    area: "operations",
    summary: ({ name, from }) => `a flat body with \`${from}\` alone is no longer \`${name}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) =>
          `A body with \`${from}\` and no other selector is refused, or taken for another operation.`,
      },
    },
    bump: "major",
    why: "A flat body carries no name: the fields are all that tells it from others.",
    todo: "Keep the selector.",
    before: flat("[isbn, title]", optionalPair),
    after: flat("[isbn]", optionalPair),
    inverse: ["flat-selector-added"],
    mirror: waivers.requestOnly,
  },
  "flat-selector-restated": {
    area: "operations",
    summary: ({ name, from, to }) => `\`${name}\` differs from other flat bodies by ${to}, not by ${from}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Every complete body of \`${name}\` is still recognised.`,
      },
    },
    bump: "patch",
    why: "A field that is required in every such body selects it before and after, so only incomplete bodies are answered otherwise.",
    todo: "Nothing.",
    before: flat("[isbn, title]", requiredFirst),
    after: flat("[isbn]", requiredFirst),
    inverse: ["flat-selector-restated", "flat-selector-added"],
    mirror: waivers.requestOnly,
  },
  "flat-order-changed": {
    area: "operations",
    summary: ({ name, to }) => `a flat body of both \`${name}\` and \`${to}\` is \`${name}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name, to }) =>
          `A body with what selects \`${to}\` and what selects \`${name}\` was \`${to}\`, and is \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "A body that has what selects two operations is the first of them: by `order`, section and name.",
    todo: "Send the fields of one operation alone.",
    before: twoFlat(1, 2),
    after: twoFlat(2, 1),
    inverse: ["flat-order-changed"],
    mirror: waivers.requestOnly,
  },
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
