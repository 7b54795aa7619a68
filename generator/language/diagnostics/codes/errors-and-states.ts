import { didYouMean, entry, listed } from "../entry.ts";

/** The diagnostics of errors, states and revisions. */
export const errorAndStateCodes = {
  "message-placeholder-unknown": entry<{ name: string; known: readonly string[] }>({
    severity: "error",
    message: ({ name }) => `nothing is filled in for \`{${name}}\``,
    hint: ({ known }) => `known: ${listed(known.map((name) => `{${name}}`))}`,
    rule: "A message may hold `{field}`, which stands for the documented name of the failing field. Anything else in braces would be sent as it stands.",
    wrong:
      'errors:\n  GONE:\n    doc: It is gone.\n    message: "{book} is gone"\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n',
    right:
      'errors:\n  GONE:\n    doc: It is gone.\n    message: "{field} is gone"\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n',
  }),
  "rpc-code-shared": entry<{ number: number; code: string; other: string }>({
    severity: "warning",
    message: ({ number, code, other }) => `\`${code}\` has the number of \`${other}\`, ${number}`,
    hint: () => "give it a number of its own",
    rule: "A caller that looks at the JSON-RPC number alone should be able to tell errors apart.",
    wrong:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32602\n",
    right:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n",
  }),
  "error-code-text": entry<{ code: string }>({
    severity: "error",
    message: ({ code }) => `"${code}" is text, but a code is an integer`,
    hint: ({ code }) => `write \`code: ${code}\``,
    rule: "The codes of JSON-RPC 2.0 are integers (section 5.1). Only in the signed envelope may `error.code` be digits as text.",
    wrong:
      'interface:\n  name: notes\n  wire: { protocol: json-rpc-2.0 }\nerrors:\n  GONE: { code: "-32010", message: Gone }\n',
    right:
      "interface:\n  name: notes\n  wire: { protocol: json-rpc-2.0 }\nerrors:\n  GONE: { code: -32010, message: Gone }\n",
  }),
  "error-code-shared": entry<{ number: number | string; code: string; other: string }>({
    severity: "error",
    message: ({ number, code, other }) => `\`${code}\` is sent as ${number}, as \`${other}\` is`,
    hint: () => "give it a number of its own, or leave `code` out: the name is sent then",
    rule: "In the signed envelope an error is known by its code alone: no two errors of an interface are sent as one number.",
    wrong:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n    code: 410\n  LEFT:\n    doc: It left.\n    message: Left\n    condition: It was moved.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32051\n    code: 410\n",
    right:
      "errors:\n  GONE:\n    doc: It is gone.\n    message: Gone\n    condition: It was deleted.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32050\n    code: 410\n  LEFT:\n    doc: It left.\n    message: Left\n    condition: It was moved.\n    action: Stop asking.\n    httpStatus: 410\n    rpcCode: -32051\n    code: 411\n",
  }),
  "states-type-not-enum": entry<{ type: string }>({
    severity: "error",
    message: ({ type }) => `\`${type}\` is no enum`,
    rule: "The states of a machine are the values of an enum type.",
    wrong: "states:\n  Genre:\n    type: Book\n    transitions:\n      - { from: any, to: requested }\n",
    right: "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: any, to: requested }\n",
  }),
  "state-unknown": entry<{ state: string; words: readonly string[]; suggestion: string | undefined }>({
    severity: "error",
    message: ({ state }) => `there is no state \`${state}\``,
    hint: ({ words, suggestion }) =>
      didYouMean({ suggestion }) ?? `write a value of the enum, or ${listed(words, "or")}`,
    rule: "A transition leads from a state, `any` or `none` (for creation) to a state or `requested` (the value the caller asks for). States are the values of the machine's enum.",
    wrong: "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: FICTON, to: REFERENCE }\n",
    right: "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: FICTION, to: REFERENCE }\n",
  }),
  "transition-repeated": entry<{ from: string; to: string }>({
    severity: "error",
    message: ({ from, to }) => `the transition from \`${from}\` to \`${to}\` is listed twice`,
    rule: "A transition is listed once. Two with the same states and trigger differ by their condition.",
    wrong:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: FICTION, to: REFERENCE }\n      - { from: FICTION, to: REFERENCE }\n",
    right:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: FICTION, to: REFERENCE }\n      - { from: REFERENCE, to: FICTION }\n",
  }),
  "state-unreachable": entry<{ state: string }>({
    severity: "warning",
    message: ({ state }) => `nothing leads to the state \`${state}\``,
    hint: () => "add the transition that leads to it, or drop the value from the enum",
    rule: "Where a machine says how things begin (`from: none`), each of its states can be reached.",
    wrong: "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: none, to: FICTION }\n",
    right:
      "states:\n  Genre:\n    type: Genre\n    transitions:\n      - { from: none, to: FICTION }\n      - { from: FICTION, to: REFERENCE }\n",
  }),
  "since-after-revision": entry<{ since: string; revision: string }>({
    severity: "error",
    message: ({ since, revision }) => `${since} comes after the interface's revision, ${revision}`,
    hint: () => "raise `revision` of the interface, or correct `since`",
    rule: "Nothing in a spec is newer than the revision that the spec describes.",
    wrong: "rules:\n  quiet: { doc: Readers are quiet., since: 9.0.0 }\n",
    right: "rules:\n  quiet: { doc: Readers are quiet., since: 1.1.0 }\n",
  }),
};
