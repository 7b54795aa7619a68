import { didYouMean, entry, listed } from "../entry.ts";

export interface FormatParams {
  readonly text: string;
  /** The expected value: `type name`. */
  readonly what: string;
  /** How one is written, in words. */
  readonly rule: string | undefined;
  readonly example: string | undefined;
}

/** The diagnostics of texts that do not fit the schema of the spec language. */
export const structureCodes = {
  "unknown-key": entry<{
    key: string;
    /** Nothing is written after it, not even a colon. */
    isBare: boolean;
    suggestion: string | undefined;
    known: readonly string[];
  }>({
    message: ({ key }) => `there is no key \`${key}\` here`,
    hint: ({ key, isBare, suggestion, known }) => {
      const instead = insteadOfKeyword(key);
      if (instead !== undefined) return instead;
      if (suggestion !== undefined) return didYouMean({ suggestion });
      if (isBare) return "put text that holds a comma in quotes";
      const others = known.length > 16 ? `, and ${known.length - 16} more` : "";
      return `known here: ${listed(known.slice(0, 16))}${others}`;
    },
    rule: "Only the keys of the language mean something. A misspelt key would silently mean nothing, so it is refused.",
    example: "rules:\n  utc:\n    ⟨docs → doc⟩: Times are in UTC.\n",
  }),
  "wrong-type": entry<{
    expected: readonly string[];
    found: string | undefined;
    unquoted: string | undefined;
    /** How to write it. */
    instead?: string | undefined;
  }>({
    message: ({ expected, found }) =>
      found === undefined
        ? `nothing is written here; expected ${expected.join(" or ")}`
        : `expected ${expected.join(" or ")}, found ${found}`,
    hint: ({ unquoted, instead }) => (unquoted === undefined ? instead : `put it in quotes: "${unquoted}"`),
    rule: "Every key takes a value of one kind: text, a number, true or false, a list or a mapping. YAML reads unquoted 4.1, 0123, true and null as something other than text, so text that looks like these is written in quotes.",
    example: 'rules:\n  utc:\n    doc: Times are in UTC.\n    section: ⟨4.10 → "4.10"⟩\n',
  }),
  "missing-key": entry<{ key: string; instead?: string }>({
    message: ({ key }) => `\`${key}\` is missing here`,
    hint: ({ instead }) => instead,
    rule: "Some keys are always needed, such as the `type` of a field or the `effect` of a method: nothing sensible could be assumed in their place.",
    example:
      "types:\n  Party:\n    doc: A party.\n    fields:\n      - { name: id, ⟨ → type: string, ⟩doc: Identifier. }\n",
  }),
  "missing-doc": entry({
    message: () => "`doc` is missing here",
    hint: () => "say in a sentence what it is: the text ends up in types, clients and the reference",
    rule: "The interface, types, methods, errors, events and rules are documented. Everything generated from them shows this text.",
    example: "types:\n  PartyId:\n    ⟨ → doc: Identifier of a party.\n    ⟩type: string\n",
  }),
  "unknown-value": entry<{ value: string; allowed: readonly string[]; suggestion: string | undefined }>({
    message: ({ value, allowed }) => `\`${value}\` is none of ${listed(allowed)}`,
    hint: didYouMean,
    rule: "Some keys take one of a few words: `effect` is `read`, `set` or `create`; `jsonrpc` is `present` or `absent`.",
    example:
      "methods:\n  BookService.CountBooks:\n    doc: Counts the books.\n    effect: ⟨reads → read⟩\n    auth: [credential]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "empty-text": entry({
    message: () => "the text is empty",
    hint: () => "write it, or leave the key out where it is not required",
    rule: "A key that takes text takes at least one character that can be seen.",
    example: 'rules:\n  utc:\n    doc: ⟨"" → Times are in UTC.⟩\n',
  }),
  "empty-list": entry({
    message: () => "there has to be at least one item",
    rule: "A list of values, forms, groups or spellings that is there holds something: an enum without values, for one, could never be satisfied.",
    example:
      "types:\n  Status:\n    doc: A status.\n    enum:⟨ [] → \n      - { value: ACTIVE, doc: In use. }⟩\n",
  }),
  "repeated-item": entry<{ written: string }>({
    message: ({ written }) => `\`${written}\` is in the list twice`,
    hint: () => "remove one of the two",
    rule: "Lists of names are sets: naming something twice says nothing more, and usually another name was meant.",
    example: "rules:\n  utc:\n    doc: Times are in UTC.\n    decision: [D-38, D-⟨38 → 39⟩]\n",
  }),
  "out-of-range": entry<{ value: number; minimum: number; maximum: number }>({
    message: ({ value, minimum, maximum }) =>
      maximum === Infinity
        ? `${value} is below ${minimum}`
        : `${value} is not between ${minimum} and ${maximum}`,
    rule: "Lengths and numbers of items are not negative, `httpStatus` is an error status (400 to 599), and `rpcCode` fits 32 bits.",
    example:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: ⟨200 → 410⟩\n    rpcCode: -32050\n",
  }),
  "name-format": entry<FormatParams>({
    message: ({ text, what }) => `\`${text}\` is not ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}`,
    hint: ({ rule, example }) =>
      rule === undefined || example === undefined
        ? undefined
        : `${rule.charAt(0).toLowerCase()}${rule.slice(1).replace(/\.$/, "")}, such as \`${example}\``,
    rule: "Names become identifiers, files and folders. Types, errors and events are letters, digits, `_`, `-`, `.` and `$`, starting with a letter; an interface is lower-case words with hyphens, since it names folders; a rule is lower-case words with hyphens.",
    example: "types:\n  ⟨2ndParty → SecondParty⟩:\n    doc: The other party.\n    type: string\n",
  }),
  "section-format": entry<FormatParams>({
    message: ({ text }) => `\`${text}\` is not the number of a section`,
    hint: writeItLike,
    rule: "A section is numbers with dots, without a sign or a word around it: lists are ordered by it.",
    example: 'rules:\n  utc:\n    doc: Times are in UTC.\n    section: "⟨§  → ⟩1"\n',
  }),
  "decision-format": entry<FormatParams>({
    message: ({ text }) => `\`${text}\` is not the id of a decision`,
    hint: writeItLike,
    rule: "Decisions are named by their ids, `D-` and a number of at least two digits, so that everything they settle can be found.",
    example: "rules:\n  utc:\n    doc: Times are in UTC.\n    decision: ⟨D38 → D-38⟩\n",
  }),
  "revision-format": entry<FormatParams>({
    message: ({ text }) => `\`${text}\` is not a revision`,
    hint: writeItLike,
    rule: "A revision is three numbers of at most nine digits, with dots. `revision` of the interface and `since` are revisions.",
    example: "rules:\n  utc:\n    doc: Times are in UTC.\n    since: ⟨v1 → 1.0.0⟩\n",
  }),
  "method-name-format": entry<FormatParams>({
    message: ({ text }) => `\`${text}\` is not how a method is named`,
    hint: ({ rule }) => rule,
    rule: "A method is named `<Service>.<Operation>`: parts of letters, digits, `_` and `-` with dots between them, of which the first is the service; or by a plain name where the interface has no services or the body is flat. In an interface of JSON-RPC 2.0 a name is any text that does not begin with `rpc.`.",
    example:
      "methods:\n  BookService⟨/ → .⟩LendBook:\n    doc: Lends a book.\n    effect: set\n    auth: [credential]\n    payload: { fields: [] }\n    result: { fields: [] }\n",
  }),
  "field-name-format": entry<FormatParams>({
    message: ({ text }) => `no field can be called \`${text}\``,
    hint: () => "give it another name",
    rule: "Requests that hold the keys `__proto__`, `constructor` or `prototype` are refused, since these names change objects in JavaScript (D-10); so no field can have them. Control characters are not part of names either.",
    example:
      "types:\n  Building:\n    doc: A building.\n    fields:\n      - { name: ⟨constructor → builder⟩, type: string, doc: Who built it. }\n",
  }),
};

function writeItLike({ example }: { readonly example: string | undefined }): string | undefined {
  return example === undefined ? undefined : `write it like \`${example}\``;
}

const allowed = "write what is allowed: an `enum`, a `pattern`, bounds, or a union `A|B`";
const condition = "write `requiredWhen`, or a union of the objects that there can be";
const together = "write `requiredWhen`, `atLeastOneOf` or `exactlyOneOf`";
const open = "write `closed: true` where no other members are taken, or `map of T` where they have a type";
const named = "write the name of the type";

/** Keywords of JSON Schema that the spec language does not have, and what to write instead. */
const instead: ReadonlyMap<string, string> = new Map([
  ["not", allowed],
  ["multipleOf", "write an integer of a smaller unit, or check it in the handler"],
  ["if", condition],
  ["then", condition],
  ["else", condition],
  ["contains", "write the type that every item has; a tuple where one place differs"],
  ["minContains", "write the type that every item has; a tuple where one place differs"],
  ["maxContains", "write the type that every item has; a tuple where one place differs"],
  ["dependencies", together],
  ["dependentRequired", together],
  ["dependentSchemas", together],
  ["unevaluatedProperties", open],
  ["unevaluatedItems", "write `tuple of [A, B]`, which takes no further items"],
  ["additionalProperties", open],
  ["patternProperties", "write `map of T` with `keys: K`, where K is a text with a `pattern`"],
  ["propertyNames", "write `map of T` with `keys: K`"],
  ["prefixItems", "write `tuple of [A, B]`"],
  ["anyOf", "write `type: A|B`"],
  ["allOf", "list the fields of all of them in one type"],
  ["includes", "list the fields of the other types here: `includes` is not supported yet"],
  ["$ref", named],
  ["$dynamicRef", named],
  ["$recursiveRef", named],
]);

/** The key of the spec language for a keyword of JSON Schema; undefined for any other key. */
function insteadOfKeyword(key: string): string | undefined {
  return instead.get(key);
}
