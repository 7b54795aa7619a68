import { entry } from "../entry.ts";

interface Plainly {
  readonly reason?: string;
  readonly hint: string;
}

/** The YAML parser's commonest complaints in plain words, and what to do; by its own codes. */
const plainly: Readonly<Record<string, Plainly>> = {
  BAD_DQ_ESCAPE: { hint: "in single quotes a backslash is a backslash" },
  BAD_INDENT: {
    reason: "a `{` or `[` is not closed where the line below begins",
    hint: "close it, or indent what belongs to it further; text that holds ` #` is put in quotes",
  },
  BAD_SCALAR_START: { hint: "put the text in quotes" },
  BLOCK_AS_IMPLICIT_KEY: {
    reason: "a second colon where one value is expected",
    hint: "put text that holds a colon and a space in quotes; else the line below is indented too far",
  },
  BLOCK_IN_FLOW: {
    reason: "a second colon where one value is expected",
    hint: "put text that holds a colon and a space in quotes; else a comma is missing before the key",
  },
  MISSING_CHAR: { hint: "close what is open, and indent the line like its neighbours" },
  MULTILINE_IMPLICIT_KEY: {
    reason: "a line without a key",
    hint: "write `key: value`, with a space after the colon",
  },
  TAB_AS_INDENT: { hint: "indent with spaces" },
  UNEXPECTED_TOKEN: { reason: "there is more here than one value", hint: "put the text in quotes" },
};

/** The parser has one code for this and for a bracket that is not closed. */
const unevenIndent: Plainly = {
  reason: "the line below is not indented like its neighbours",
  hint: "give all keys of one mapping, and all items of one list, the same indent",
};

function inPlainWords({ kind, reason }: { kind: string; reason: string }): Plainly | undefined {
  return kind === "BAD_INDENT" && /^All \w+ items must start/.test(reason) ? unevenIndent : plainly[kind];
}

/** The diagnostics of a file that cannot be read or parsed. */
export const fileCodes = {
  "file-not-utf8": entry({
    severity: "error",
    message: () => "the file is not UTF-8 here",
    hint: () => "save the file as UTF-8",
    rule: "Spec files are UTF-8, with or without a byte order mark. A byte sequence that is not UTF-8 would end up as a replacement character in generated code.",
    wrong: "# saved as Latin-1\nrules:\n  name:\n    doc: Andr\uFFFD is a name.\n",
    right: "# saved as UTF-8\nrules:\n  name:\n    doc: André is a name.\n",
  }),
  "file-empty": entry({
    severity: "warning",
    message: () => "the file holds nothing",
    hint: () => "define something in it, or delete it",
    rule: "A spec file holds at least one definition. An empty one is usually a file whose contents went elsewhere.",
    wrong: "# types will follow\n",
    right: "rules:\n  utc:\n    doc: Times are in UTC.\n",
  }),
  "yaml-syntax": entry<{ reason: string; kind: string }>({
    severity: "error",
    message: (found) => `this is not YAML: ${inPlainWords(found)?.reason ?? lowerFirst(found.reason)}`,
    hint: (found) => inPlainWords(found)?.hint,
    rule: "Spec files are YAML 1.2. Text that holds a colon followed by a space, or starts with one of & * ! | > % @ ` { [, is written in quotes. Only the first mistake of a file is shown, since it often makes the rest look wrong; rules that look across files wait until all files can be read.",
    wrong: "rules:\n  utc:\n    doc: Times: in UTC.\n",
    right: 'rules:\n  utc:\n    doc: "Times: in UTC."\n',
  }),
  "yaml-duplicate-key": entry<{ key: string }>({
    severity: "error",
    message: ({ key }) => `the key \`${key}\` is written twice in one mapping`,
    hint: () => "keep one of the two",
    rule: "A mapping has each key once. Which of two would win is not a question a spec should raise.",
    wrong: "rules:\n  utc:\n    doc: Times are in UTC.\n    doc: Times are in UTC, with milliseconds.\n",
    right: "rules:\n  utc:\n    doc: Times are in UTC, with milliseconds.\n",
  }),
  "yaml-anchor": entry<{ written: string }>({
    severity: "error",
    message: ({ written }) => `\`${written}\`: anchors and aliases are not part of the language`,
    hint: () => "give what is repeated a name under `types`, and use the name; or put the text in quotes",
    rule: "Anchors and aliases copy text without giving it a name, so a reader of the spec, and of the code made from it, cannot see that two things are one. A named type says it.",
    wrong: "rules:\n  utc: &utc\n    doc: Times are in UTC.\n  milliseconds: *utc\n",
    right: "rules:\n  utc:\n    doc: Times are in UTC, with milliseconds.\n",
  }),
  "yaml-tag": entry<{ tag: string }>({
    severity: "error",
    message: ({ tag }) => `the tag \`${tag}\` is not part of the language`,
    hint: () => "drop the tag; text that looks like a number is written in quotes",
    rule: "A spec is plain YAML: mappings, lists, text, numbers, true and false. Tags change what a value is without its looking so.",
    wrong: "rules:\n  utc:\n    doc: Times are in UTC.\n    section: !!str 1\n",
    right: 'rules:\n  utc:\n    doc: Times are in UTC.\n    section: "1"\n',
  }),
  "yaml-multiple-documents": entry({
    severity: "error",
    message: () => "a second YAML document starts here",
    hint: () => "remove the `---`, or put what follows into a file of its own",
    rule: "A spec file is one YAML document. What comes after a second `---` would be read by some tools and not by others.",
    wrong: "rules:\n  utc:\n    doc: Times are in UTC.\n---\nerrors: {}\n",
    right: "rules:\n  utc:\n    doc: Times are in UTC.\n",
  }),
  "yaml-key": entry({
    severity: "error",
    message: () => "a key has to be text",
    rule: "Keys name things, so they are plain text: not empty, not a list, not a mapping.",
    wrong: "rules:\n  [utc]:\n    doc: Times are in UTC.\n",
    right: "rules:\n  utc:\n    doc: Times are in UTC.\n",
  }),
  "yaml-too-deep": entry<{ depthMax: number }>({
    severity: "error",
    message: ({ depthMax }) => `this nests more than ${depthMax} levels deep`,
    hint: () => "give inner objects names under `types`",
    rule: "What nests without end cannot be read by people, and makes parsers run out of stack. A spec needs about a dozen levels.",
    wrong: `rules: ${"[".repeat(70)}${"]".repeat(70)}\n`,
    right: "rules: {}\n",
  }),
  "number-not-finite": entry({
    severity: "error",
    message: () => "this number is not finite",
    hint: () => "leave a bound out where there is none",
    rule: "Numbers in a spec end up in JSON, which has no infinity and no NaN.",
    wrong: "types:\n  Percent:\n    doc: A share.\n    type: number\n    minimum: 0\n    maximum: .inf\n",
    right: "types:\n  Percent:\n    doc: A share.\n    type: number\n    minimum: 0\n    maximum: 100\n",
  }),
  "number-not-exact": entry<{ written: string }>({
    severity: "error",
    message: ({ written }) => `\`${written}\` is not kept exactly`,
    hint: () =>
      "write a number from -9007199254740991 to 9007199254740991, with 15 digits at most; or leave a bound out",
    rule: "Numbers are IEEE 754 doubles in JSON and in JavaScript: whole numbers beyond 2^53 - 1, and more than about 15 digits, are read as another number. A bound would not be the one that is written.",
    wrong: "types:\n  Serial:\n    doc: A serial number.\n    type: integer\n    maximum: 9007199254740993\n",
    right: "types:\n  Serial:\n    doc: A serial number.\n    type: integer\n    maximum: 9007199254740991\n",
  }),
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
