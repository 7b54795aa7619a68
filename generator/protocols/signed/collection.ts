import { signedEnvelope } from "../../../conformance/request/schemes/signed-envelope.ts";
import type { CollectionPart } from "../protocol.ts";

export const collection: CollectionPart = {
  script: "sign-envelope",
  variables: ["userName", "apiKey", "keyId", "privateKey"],
  headers: ({ transport }, { revision }) => ({
    "X-Interface-Revision": revision,
    ...(transport.kind === "flat" && { Signature: "flat" }),
  }),
  values(access, _model, isOperator) {
    const identity = isOperator ? access.operator : access;
    if (identity === undefined) throw new Error("the access file has no operator");
    return signedEnvelope.variables(identity);
  },
};
