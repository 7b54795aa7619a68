/** The protocols that an interface may speak. */
export const protocols = ["json-rpc-2.0", "signed-envelope"] as const;

export type Protocol = (typeof protocols)[number];

/** The protocol of a spec without `wire`. */
export const defaultProtocol: Protocol = "signed-envelope";

export function isProtocol(text: string | undefined): text is Protocol {
  return protocols.some((protocol) => protocol === text);
}

/** The keys that depend on the protocol, which the schema cannot say: by definition of the schema. */
export interface ProtocolKeys {
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly foreign: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How a method may be called. */
  readonly methodName: {
    readonly pattern: string;
    /** The rule for names, as a diagnostic says it. */
    readonly rule: string;
  };
}

const wireOnly = "it belongs to `json-rpc-2.0`: name that `protocol`, or drop it";
const schemesOnly = "write `auth`: callers of the signed envelope prove who they are by its members";
const envelopeOnly = "drop it: it belongs to the signed envelope";
const idsOfCallers = "drop it: JSON-RPC 2.0 leaves ids to callers (section 4)";
const builtInFault = "drop it: the code is fixed by the standard, or `faults` has another name for it";

const envelopeDefault =
  "write `optional: true`, and say in `doc` what an absent value means: the envelope signs what callers send";

const openObjects = "drop it: signed interfaces let members through that they do not know (D-13)";

const namePart = "[\\p{L}_][\\p{L}\\p{M}\\p{N}_-]*";

export const keysOf: Readonly<Record<Protocol, ProtocolKeys>> = {
  "signed-envelope": {
    required: {
      interface: ["title", "revision", "path", "doc"],
      type: ["doc"],
      method: ["doc", "effect", "payload", "result"],
      error: ["doc", "condition", "action", "httpStatus", "rpcCode"],
      event: ["doc"],
    },
    foreign: {
      wire: { params: wireOnly, http: wireOnly, batch: wireOnly, transports: wireOnly },
      interface: { schemes: schemesOnly, security: schemesOnly },
      method: { params: wireOnly, notify: wireOnly, security: schemesOnly },
      error: { data: wireOnly },
      type: { closed: openObjects },
      field: { closed: openObjects, default: envelopeDefault },
      object: { closed: openObjects },
      faults: { unauthenticated: wireOnly, forbidden: wireOnly, tooLarge: wireOnly },
    },
    methodName: {
      pattern: `^${namePart}(\\.${namePart})*$`,
      rule: "write `<Service>.<Operation>`, or a plain name where there is no service",
    },
  },
  "json-rpc-2.0": {
    required: { error: ["code"] },
    foreign: {
      wire: {
        requestId: idsOfCallers,
        nullError: "drop it: JSON-RPC 2.0 answers with a result or with an error (section 5)",
      },
      interface: {
        path: "write it as `wire: { http: { path: … } }`",
        auth: "write `schemes`, and under `security` what callers prove",
      },
      method: {
        auth: "write `security`: it names the schemes by which callers prove who they are",
        jsonrpc: "drop it: every answer of the standard has it",
        requestId: idsOfCallers,
        flat: "drop it: every call of the standard has a `method`",
        path: "write it as `wire: { http: { path: … } }`: all methods of the standard are at one path",
        registersKey: envelopeOnly,
      },
      payload: {
        selectedBy: "write a parameter whose type is a union, or one method for each form",
        forms: "write a parameter whose type is a union, or one method for each form",
      },
      field: {
        spellings: "drop it: the standard knows one name for a parameter",
        alsoSentAs: "drop it: the standard knows one name for a value",
      },
      error: { rpcCode: "write `code`" },
      event: {
        members: "write them as fields of `payload`: a notification of the standard has nothing else",
      },
      faults: {
        badInput: builtInFault,
        unauthorized: "write `forbidden`",
        badCredential: "write `unauthenticated`",
        unknownKey: "write `unauthenticated`",
        invalidSignature: "write `unauthenticated`",
        conflict: builtInFault,
        internal: builtInFault,
      },
    },
    methodName: {
      pattern: "^(?!rpc\\.|__proto__$)[^\\u0000-\\u001f\\u007f]+$",
      rule: "write any text without control characters that does not begin with `rpc.`, which JSON-RPC 2.0 keeps for itself (section 4.3)",
    },
  },
};
