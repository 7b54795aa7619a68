import type { ProtocolLanguage } from "../../language/structure/protocols.ts";

const wireOnly = "it belongs to `json-rpc-2.0`: name that `protocol`, or drop it";
const schemesOnly = "write `auth`: callers of the signed envelope prove who they are by its members";
const envelopeDefault =
  "write `optional: true`, and say in `doc` what an absent value means: the envelope signs what callers send";
const openObjects = "drop it: signed interfaces let members through that they do not know (D-13)";
const namePart = "[\\p{L}_][\\p{L}\\p{M}\\p{N}_-]*";

/** What the spec language asks of signed interfaces. */
export const language: ProtocolLanguage = {
  protocol: "signed-envelope",
  mayBeTerse: false,
  namesServices: true,
  hasAuthMembers: true,
  resultsAreObjects: true,
  takesEveryType: false,
  sharesErrorNumbers: false,
  hasDefaultFaults: false,
  eventsHaveCauses: true,
  hasPositions: false,
  valueSizeMax: 262_144,
  requestMax: { text: 4_096, items: 1_000 },
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
};
