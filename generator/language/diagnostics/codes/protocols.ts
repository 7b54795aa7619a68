import { entry, listed } from "../entry.ts";

/** A whole spec of a standard interface. */
const tasks = (rest: string, wire = "protocol: json-rpc-2.0"): string =>
  `interface:
  name: tasks
  wire: { ${wire} }
${rest}`;

/** The interface that an example uses. */
const shared = (wire: string): string => `# ../shared/interface.yaml
interface:
  name: shared
${wire}`;

const idProblems = {
  "no-parts": "it has groups, alternatives or repetitions without limit",
  "too-long": "it allows more than 128 characters",
  "too-few": "it allows fewer than 10^12 ids",
} as const;

/** The diagnostics of the protocol of an interface and of all that depends on it. */
export const protocolCodes = {
  "key-of-other-protocol": entry<{ key: string; protocol: string; instead: string }>({
    message: ({ key, protocol }) => `\`${key}\` means nothing in a ${protocol} interface`,
    hint: ({ instead }) => instead,
    rule: "The wire of an interface is one protocol (`wire.protocol`; the signed envelope if absent), and a spec says only what that protocol has.",
    example: tasks(
      "methods:\n  list:\n    ⟨flat: { selectedBy: [state] } → params: by-name⟩\n    payload: { fields: [{ name: state, type: string }] }\n",
    ),
  }),
  "uses-other-protocol": entry<{ protocol: string; other: string }>({
    message: ({ protocol, other }) => `the used spec speaks ${other}, and this one ${protocol}`,
    hint: () => "move the types that both need into a spec of each protocol, or give both the same protocol",
    rule: "A spec uses specs of its own protocol: errors, faults and authentication are written differently in each.",
    example: [
      `# interface.yaml\ninterface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  uses: [../shared]\n${shared("  title: Shared\n  revision: 1.0.0\n  path: /jsonrpc\n  doc: Shared.\n")}`,
      `# interface.yaml\ninterface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  uses: [../shared]\n${shared("  wire: { protocol: json-rpc-2.0 }\n")}`,
    ],
  }),
  "parameter-after-optional": entry<{ name: string; optional: string; style: string }>({
    message: ({ name, optional }) =>
      `\`${name}\` is required, and \`${optional}\` before it may be left out and may be \`null\``,
    hint: ({ name, style }) =>
      style === "either"
        ? `move \`${name}\` up, make it optional, or write \`params: by-name\``
        : `move \`${name}\` up, or make it optional`,
    rule: "Where parameters are written by position, `null` holds the place of one that is left out before others. A parameter whose value may be `null` can be left out at the end alone (JSON-RPC 2.0, section 4.2).",
    example: tasks(
      "methods:\n  list:\n    params: by-position\n    payload:\n      fields:\n        - { name: ⟨state → owner⟩, type: string⟨|null, optional: true  →  ⟩}\n        - { name: ⟨owner → state⟩, type: string⟨  → |null, optional: true ⟩}\n",
    ),
  }),
  "notification-answered": entry<{ name: string; key: string }>({
    message: ({ name, key }) => `\`${name}\` is never answered, so that no caller gets its \`${key}\``,
    hint: ({ key }) => `drop \`${key}\`, or write \`notify: allowed\``,
    rule: "A notification is not answered, neither with a result nor with an error (JSON-RPC 2.0, section 4.1).",
    example: tasks(
      "methods:\n  touched:\n    notify: only⟨\n    result: { fields: [{ name: at, type: timestamp }] } → ⟩\n",
    ),
  }),
  "error-code-reserved": entry<{ code: number }>({
    message: ({ code }) => `${code} is kept for the standard itself`,
    hint: () => "take a code from -32099 to -32000, or one outside of -32768 to -32000",
    rule: "JSON-RPC 2.0 keeps -32768 to -32100 for itself (section 5.1). The runtime gives -32700 and -32603 to -32600 where they belong, so that no spec declares them.",
    example: tasks(
      "methods:\n  list:\n    errors: { GONE: {} }\nerrors:\n  GONE: { code: -⟨32602 → 32010⟩, message: Gone }\n",
    ),
  }),
  "serves-standard": entry({
    message: () => "earlier revisions of a json-rpc-2.0 interface cannot be served beside it yet",
    hint: () =>
      "drop `serves`; give the earlier revision an output folder and a path of its own, as an interface of its own",
    rule: "Adapters between revisions convert calls of the signed envelope. A standard interface serves the revision that its spec describes.",
    example: [
      `# interface.yaml\n${tasks("  revision: 1.1.0\n  serves: [{ revision: 1.0.0, spec: ../tasks-1.0.0 }]\nmethods:\n  list: {}\n")}# ../tasks-1.0.0/interface.yaml\n${tasks("methods:\n  list: {}\n")}`,
      tasks("  revision: 1.1.0\nmethods:\n  list: {}\n"),
    ],
  }),
  "type-needs-standard": entry<{ type: string; isAnswered: boolean }>({
    message: ({ type, isAnswered }) =>
      `\`${type}\` means nothing in ${isAnswered ? "requests of a" : "a"} signed-envelope interface`,
    hint: ({ isAnswered }) =>
      isAnswered
        ? "write an object, an array, one of the scalar types, or a union of these such as `string|integer`; or give the payload `forms`"
        : "write an object, an array, one of the scalar types, or a union of these such as `string|integer`",
    rule: "Requests of the signed envelope have names of members in any case and amounts whose digits are kept, which has no meaning for values of open or several types, but for unions of scalar types without `money`. Results and events may have `A|B`, `T|null` and `oneOf` too. Interfaces of JSON-RPC 2.0 have all types.",
    example: "types:\n  Isbn:\n    doc: Number of an edition.\n    type: string⟨|null → ⟩\n",
  }),
  "request-id-pattern": entry<{ problem: "no-parts" | "too-long" | "too-few" }>({
    message: ({ problem }) => `no client can draw ids of this pattern: ${idProblems[problem]}`,
    hint: () =>
      "write characters and classes in a row, each as often as a number says: `^[A-Z]{3}-[0-9]{12,18}$`",
    rule: "Clients and the conformance suite draw the ids of requests from `requestId`. An id has at most 128 characters (D-09), and one that is drawn twice is taken for a repetition (D-24), so that there have to be many.",
    example:
      "interface:\n  wire: { protocol: signed-envelope, requestId: { pattern: '^[0-9]⟨+ → {12,18}⟩$' } }\n",
  }),
  "bigint-place": entry<{ what: string }>({
    message: ({ what }) => `${what} cannot have a \`bigint\``,
    hint: () => "write a string with `pattern: ^-?[0-9]+$`",
    rule: "Parameters and results keep every digit of a `bigint`. What a service sends by itself, and the data of errors, are read as plain JSON, in which digits beyond 2^53 are lost.",
    example: tasks(
      "events:\n  paid: { payload: { fields: [{ name: wei, type: ⟨bigint  → string, pattern: '^[0-9]+$' ⟩}] } }\n",
    ),
  }),
  "map-keys": entry({
    message: () => "the names of a map are texts",
    hint: () => "name a string type or an enum",
    rule: "`keys` narrows the names that a map may have. In JSON these are always text.",
    example: tasks(
      "methods:\n  list: { result: Owners }\ntypes:\n  Owners: { type: map of string, keys: ⟨integer → date⟩ }\n",
    ),
  }),
  "alternatives-same": entry<{ first: number; second: number }>({
    severity: "warning",
    message: ({ first, second }) =>
      `alternatives ${first} and ${second} take the same values, so neither can be the only one that fits`,
    hint: () => "leave one of them out, or `exactlyOne`",
    rule: "`exactlyOne: true` takes a value that fits one of the alternatives and no other. Of two that take the same values, neither can be the only one.",
    example: tasks(
      "methods:\n  list: { result: Owners }\ntypes:\n  Owners: { type: array of string|⟨Names → Count⟩, exactlyOne: true }\n  ⟨Names: { type: array of string → Count: { type: integer⟩ }\n",
    ),
  }),
  "tagged-case": entry<{ type: string }>({
    message: ({ type }) => `\`${type}\` is no object, and a member tells these apart`,
    hint: () => "name an object type, or write a union: `A|B`",
    rule: "The cases of `oneOf` are objects: the discriminator is a member of each.",
    example: tasks(
      "methods:\n  list: { result: Change }\ntypes:\n  Text: { ⟨ → fields: [{ name: text, ⟩type: string }⟨ → ] }⟩\n  Change: { oneOf: { discriminator: kind, cases: { text: Text } } }\n",
    ),
  }),
  "tagged-closed": entry<{ type: string; member: string; tag: string }>({
    message: ({ type, member }) => `\`${type}\` is closed and has no \`${member}\`: no value fits this case`,
    hint: ({ type, member, tag }) =>
      `add \`{ name: ${member}, type: string, const: ${tag} }\` to \`${type}\`, or drop its \`closed\``,
    rule: "The discriminator is a member of each case, so a case that is closed lists it among its fields.",
    example: tasks(
      "methods:\n  list: { result: Change }\ntypes:\n  Text: { fields: [{ name: ⟨text → kind⟩, type: string }], closed: true }\n  Change: { oneOf: { discriminator: kind, cases: { text: Text } } }\n",
    ),
  }),
  "tagged-member": entry<{ type: string; member: string; tag: string }>({
    message: ({ type, member, tag }) => `\`${member}\` of \`${type}\` is never \`${tag}\``,
    hint: ({ member }) => `make \`${member}\` a string, or leave it to \`oneOf\``,
    rule: "Where a case has a field of the discriminator's name, that field takes the text of the case.",
    example: tasks(
      "methods:\n  list: { result: Change }\ntypes:\n  Text: { fields: [{ name: kind, type: ⟨integer → string⟩ }] }\n  Change: { oneOf: { discriminator: kind, cases: { text: Text } } }\n",
    ),
  }),
  "http-not-served": entry<{ transports: readonly string[] }>({
    message: ({ transports }) => `\`http\` is described, and served are ${listed(transports)}`,
    hint: () => "add `http` to `transports`, or drop `http`",
    rule: "What a spec says of a transport is about one that the interface is served over.",
    example: tasks(
      "methods:\n  list: {}\n",
      "protocol: json-rpc-2.0, ⟨http: { path: /tasks },  → ⟩transports: [stdio]",
    ),
  }),
};
