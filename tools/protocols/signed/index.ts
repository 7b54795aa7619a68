import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import { openAccess, operatorAccess } from "../../../conformance/request/access.ts";
import { signedEnvelope } from "../../../conformance/request/schemes/signed-envelope.ts";
import type { ProtocolTools } from "../port.ts";
import { envelopeRequest } from "./request.ts";

/** Envelopes with a signed payload, and flat bodies. */
export const signed: ProtocolTools = {
  readAccess({ name }, file) {
    const access = openAccess(file);
    // A file that names an operator says with `baseUrl` where the operator does not call.
    return name === "operator" && access.operator !== undefined ? operatorAccess(access, new Set()) : access;
  },
  newAccess({ name }, samples) {
    const identity = signedEnvelope.made();
    // The suite calls an interface of this name as its operator.
    return {
      ...identity,
      ...omitUndefined({ operator: name === "operator" ? identity : undefined }),
      samples,
    };
  },
  request: envelopeRequest,
};
