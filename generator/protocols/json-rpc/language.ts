import type { ProtocolLanguage } from "../../language/structure/protocols.ts";

const envelopeOnly = "drop it: it belongs to the signed envelope";
const idsOfCallers = "drop it: JSON-RPC 2.0 leaves ids to callers (section 4)";
const builtInFault = "drop it: the code is fixed by the standard, or `faults` has another name for it";

/** What the spec language asks of standard interfaces. */
export const language: ProtocolLanguage = {
  protocol: "json-rpc-2.0",
  mayBeTerse: true,
  namesServices: false,
  hasAuthMembers: false,
  resultsAreObjects: false,
  takesEveryType: true,
  sharesErrorNumbers: true,
  hasDefaultFaults: true,
  eventsHaveCauses: false,
  hasPositions: true,
  valueSizeMax: 1_048_576,
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
};
