import { entry, listed } from "../entry.ts";

/** The diagnostics of constraints and of the values that types hold. */
export const constraintCodes = {
  "constraint-not-applicable": entry<{ key: string; type: string; kind: string; allowed: readonly string[] }>(
    {
      message: ({ key, type }) => `\`${key}\` says nothing about \`${type}\``,
      hint: ({ type, kind, allowed }) => {
        if (kind === "ref") return `constraints go on the type \`${type}\` itself`;
        if (kind === "array")
          return `it takes ${listed(allowed)}; constraints on items go on a named item type`;
        return allowed.length === 0 ? undefined : `it takes ${listed(allowed)}`;
      },
      rule: "Each constraint is for some types: lengths and `pattern` for text, `minimum`, `maximum`, `above` and `below` for numbers, `minItems`, `maxItems` and `uniqueItems` for arrays, `const` for string, number, integer and boolean. A named type brings its own constraints, and constraints on items are on a named item type.",
      example:
        "types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    ⟨maximum → maxLength⟩: 13\n",
    },
  ),
  "bounds-inverted": entry<{ lowKey: string; low: number; highKey: string; high: number }>({
    message: ({ lowKey, low, highKey, high }) =>
      high < low
        ? `\`${highKey}\` ${high} is below \`${lowKey}\` ${low}`
        : `nothing is left between \`${lowKey}\` ${low} and \`${highKey}\` ${high}`,
    rule: "A lower bound is not above its upper bound: nothing could fit. `above` and `below` exclude the bound itself.",
    example:
      "types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    minLength: ⟨13 → 10⟩\n    maxLength: ⟨10 → 13⟩\n",
  }),
  "value-too-large": entry<{ most: number }>({
    message: ({ most }) => `the smallest value has more than ${most} characters`,
    hint: () => "no request holds it: ask for fewer items or characters, or make a part optional",
    rule: "The smallest value of each type fits in a request: 262,144 characters in a signed envelope, 1,048,576 in a standard interface. A value counts as 16 characters at least. Samples, tests and the mock make values of every type.",
    example:
      "types:\n  Shelf:\n    doc: Names of books.\n    type: array of string\n    minItems: ⟨10000000 → 10⟩\n",
  }),
  "beyond-envelope": entry<{ key: string; most: number }>({
    message: ({ key, most }) =>
      key.endsWith("Items")
        ? `a list of a signed request holds ${most} items at most`
        : `a text of a signed request has ${most} characters at most`,
    hint: ({ most }) => `${most} or less; a type of its own for results may have more`,
    rule: "Every signed envelope is refused if it holds a text of more than 4,096 characters or a list of more than 1,000 items. Types that requests use cannot ask for more, or promise it.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: note, type: string, maxLength: ⟨5000 → 4096⟩, doc: A note. }\n    result: { fields: [] }\n",
  }),
  "pattern-invalid": entry<{ reason: string }>({
    message: ({ reason }) => `this is not a regular expression: ${reason}`,
    rule: "A pattern is an ECMAScript regular expression with the `u` flag, which refuses escapes that mean nothing.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    pattern: ⟨^[0-9{13}$ → "^[0-9]{13}$"⟩\n',
  }),
  "pattern-unanchored": entry<{ pattern: string }>({
    message: ({ pattern }) => `\`${pattern}\` is not anchored`,
    hint: ({ pattern }) => `write \`^(?:${pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "")})$\``,
    rule: "A pattern says how the whole text looks, so it begins with `^` and ends with `$`. Without them any text that contains a match would pass. An alternative at the outermost level would end the reach of the anchors.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    pattern: "⟨[0-9]{13} → ^[0-9]{13}$⟩"\n',
  }),
  "pattern-slow": entry<{ pattern: string; because: string }>({
    message: ({ pattern, because }) => `\`${pattern}\` may be slow on texts made for it: ${because}`,
    hint: () =>
      "let no text be shared out between two repetitions in more than one way: `^a+$` for `^(?:a+)+$`, `^[^@]+@[^@.]+$` for `^.+@.+$`",
    rule: "The time to match a pattern grows with the length of the text, no faster. A caller may send 4,096 characters, and sixty such texts in a request: a pattern whose time grows with the square takes 22 ms for each, more than a second for all, in which no other caller is served; one that grows exponentially never ends. An analysis of the pattern finds that before any text is held against it. Repetitions with limits may overlap as long as they can be chosen in 10,000 ways at most, `^[A-Z]{6}[A-Z0-9]{2,5}$`. What the analysis does not know is refused: look-around, more than 1,000 characters.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    pattern: "^⟨([0-9]+-?)+ → [0-9]+(?:-[0-9]+)*⟩$"\n',
  }),
  "no-sample": entry({
    severity: "warning",
    message: () => "no text was found that matches this pattern and its bounds",
    hint: () => "add an `example`, or write the pattern in a simpler way",
    rule: "Samples, tests and the mock need a value of every type. It is made by reading the pattern, which does not follow back references. A pattern that its own length excludes has no value at all.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    maxLength: ⟨10 → 13⟩\n    pattern: "^[0-9]{13}$"\n',
  }),
  "const-mismatch": entry<{ reason: string }>({
    message: ({ reason }) => `the constant does not fit its type: ${reason}`,
    rule: "A constant is a value of its type and meets the constraints beside it.",
    example:
      'types:\n  Isbn:\n    doc: Number of an edition.\n    type: string\n    const: ⟨9780141439518 → "9780141439518"⟩\n',
  }),
  "enum-duplicate-value": entry<{ value: string }>({
    message: ({ value }) => `the enum has \`${value}\` twice`,
    rule: "An enum has each value once.",
    example:
      "types:\n  Size:\n    doc: A size.\n    enum:\n      - { value: FOLIO, doc: Large. }\n      - { value: ⟨FOLIO, doc: Very large → QUARTO, doc: Smaller⟩. }\n",
  }),
  "infinite-type": entry<{ chain: readonly string[]; isAlternative: boolean }>({
    message: ({ chain, isAlternative }) =>
      isAlternative
        ? `this type is an alternative of itself: ${chain.join(" → ")}`
        : `no value can have this type: it needs itself, ${chain.join(" → ")}`,
    hint: ({ isAlternative }) =>
      isAlternative
        ? "leave this alternative out, or put it into a field or an array"
        : "make a field on the way optional, or an array that may be empty",
    rule: "A type may refer to itself, directly or through others, as long as there is a way out: an optional field, or an array that may be empty. It is none of its own alternatives.",
    example:
      "types:\n  Chapter:\n    doc: A chapter.\n    fields:\n      - { name: next, type: Chapter, ⟨ → optional: true, ⟩doc: The next one. }\n",
  }),
  "types-too-deep": entry<{ name: string; depth: number; depthMax: number }>({
    message: ({ name, depth, depthMax }) =>
      `\`${name}\` and the types that it refers to may nest ${depth} levels deep; ${depthMax} are the most`,
    hint: () => "use fewer types on the way, or let one refer to itself",
    rule: "Types may refer to one another through 1,500 objects and arrays at most, and include one another through 300; of types that refer to one another in a circle all are counted. No request nests as deep, and what walks such types runs out of stack.",
    example: [
      `types:\n${Array.from({ length: 302 }, (_, at) => part(at)).join("")}  Part302: { doc: The last part., fields: [] }\n`,
      `types:\n${link(0, "Link0")}`,
    ],
  }),
  "payload-kind": entry<{ found: readonly string[] }>({
    message: ({ found }) =>
      found.length === 0
        ? "the payload has neither `fields` nor `forms`"
        : found.length === 1
          ? `the payload has ${listed(found)} alone`
          : `the payload has ${listed(found)}, which do not go together`,
    hint: () => "write `fields`, or `forms` and `selectedBy`",
    rule: "A payload is one object with `fields`, or several `forms` with `selectedBy`, which says how the form is recognized.",
    example:
      "methods:\n  BookService.LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential, signature]\n    payload:\n      ⟨ → selectedBy: stored\n      ⟩forms:\n        adult: { doc: For adults., fields: [] }\n    result: { fields: [] }\n",
  }),
};

function part(at: number): string {
  return `  Part${at}: { doc: A part., includes: [Part${at + 1}], fields: [] }\n`;
}

function link(at: number, next: string): string {
  const field = `{ name: next, type: ${next}, optional: true, doc: What follows. }`;
  return `  Link${at}:\n    doc: A link of a chain.\n    fields:\n      - ${field}\n`;
}
