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
const findBook = flat("[isbn]", optionalPair);
const requiredFirst =
  "        - { name: isbn, type: string, doc: Number of the edition. }\n        - { name: title, type: string, optional: true, doc: The title. }\n";

/** How a body is recognized: by an envelope, or by its path and fields. */
export const flatBodyRules = {
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
  "flat-bodies-taken": {
    area: "operations",
    summary: ({ name, from, to }) =>
      from === ""
        ? `every flat body of \`${to}\` is \`${name}\` now`
        : `a flat body of \`${to}\` with \`${from}\` is \`${name}\` now`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from, to }) =>
          from === ""
            ? `Every body of \`${to}\` calls \`${name}\` instead.`
            : `A complete body of \`${to}\` that carries \`${from}\` calls \`${name}\` instead.`,
      },
    },
    bump: "major",
    why: "A flat body carries no name: it calls the first operation that one of its fields selects.",
    todo: "Give the new operation a later `order`, or select it by a field that no other operation takes.",
    before: findBook,
    after:
      findBook +
      flat("[title]", optionalPair)
        .replace("methods:\n", "")
        .replace("FindBook", "FindTitle")
        .replace("] }", "], order: 1 }"),
    inverse: ["method-removed"],
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
} as const satisfies Readonly<Record<string, Rule>>;
