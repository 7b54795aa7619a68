import { entry, listed } from "../entry.ts";

/** The diagnostics of a type or a field. */
export const typeCodes = {
  "duplicate-definition": entry<{ what: string; name: string }>({
    severity: "error",
    message: ({ what, name }) => `the ${what} \`${name}\` is defined twice`,
    hint: () => "keep one definition, or give this one another name",
    rule: "A name is defined once in a spec, in whichever file. The first in path order is kept while the rest is checked.",
    wrong:
      "# parties.yaml\ntypes:\n  Party:\n    doc: A party.\n    type: string\n# people.yaml\ntypes:\n  Party:\n    doc: A celebration.\n    type: string\n",
    right:
      "types:\n  Party:\n    doc: A party.\n    type: string\n  Celebration:\n    doc: A celebration.\n    type: string\n",
  }),
  "definition-kind": entry<{ name: string; found: readonly string[] }>({
    severity: "error",
    message: ({ name, found }) =>
      found.length === 0
        ? `\`${name}\` has none of \`fields\`, \`enum\` and \`type\``
        : `\`${name}\` has ${listed(found)}; it can have one of them`,
    hint: ({ found }) => {
      if (found.length === 0) {
        return "an object has `fields`, a list of values is an `enum`, anything else has a `type`";
      }
      return found.includes("fields") && found.includes("type") ? "an object has `fields` alone" : undefined;
    },
    rule: "A type is one thing: an object (`fields`), a list of values (`enum`) or a scalar, array or other type (`type`). Only `type: array of object` takes `fields` beside it.",
    wrong:
      "types:\n  Party:\n    doc: A party.\n    type: object\n    fields:\n      - { name: id, type: string, doc: Identifier. }\n",
    right:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - { name: id, type: string, doc: Identifier. }\n",
  }),
  "type-syntax": entry<{ written: string }>({
    severity: "error",
    message: ({ written }) => `\`${written}\` is not how a type is written`,
    hint: ({ written }) => {
      const item =
        /^([^\s[\]<>]+)\[\]$/.exec(written)?.[1] ??
        /^array(?: of |<|\[)([^\s<>[\]]+)[>\]]?$/i.exec(written)?.[1];
      return item === undefined
        ? "write one type name, or `array of` and one type name"
        : `write \`array of ${item}\``;
    },
    rule: "A type is `string`, `money` or another built-in type, the name of a type, or `array of` one of these. In an interface of JSON-RPC 2.0 it is also `json`, `null`, `map of T`, `tuple of [A, B]`, `A|B` or `T|null`, with parentheses where `array of` is about a union: `array of (A|B)`. Generic types do not exist: name the inner type under `types`.",
    wrong: "types:\n  Tags:\n    doc: Labels.\n    type: string[]\n",
    right: "types:\n  Tags:\n    doc: Labels.\n    type: array of string\n",
  }),
  "object-without-fields": entry({
    severity: "error",
    message: () => "an `object` needs `fields`",
    hint: () =>
      "list its fields, or name an object type; any object of an interface of JSON-RPC 2.0 is `map of json`",
    rule: "There are no free-form objects in the signed envelope: whatever travels is described, so that it can be checked.",
    wrong:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - { name: address, type: object, doc: Where. }\n",
    right:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - name: address\n        type: object\n        doc: Where.\n        fields:\n          - { name: city, type: string, doc: City. }\n",
  }),
  "fields-without-object": entry<{ type: string }>({
    severity: "error",
    message: ({ type }) => `\`fields\` belongs to \`object\` and \`array of object\`, not to \`${type}\``,
    hint: () => "write `type: object`, or drop `fields`",
    rule: "Fields written in place belong to an object or to an array of objects; a named type brings its own.",
    wrong:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - name: address\n        type: string\n        doc: Where.\n        fields:\n          - { name: city, type: string, doc: City. }\n",
    right:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - name: address\n        type: object\n        doc: Where.\n        fields:\n          - { name: city, type: string, doc: City. }\n",
  }),
};
