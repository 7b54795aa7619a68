import { signedEnvelope } from "../../../conformance/request/schemes/signed-envelope.ts";
import type { CollectionPart, Parts } from "../protocol.ts";
import { cases } from "./cases/index.ts";
import { client } from "./client/index.ts";
import { documents } from "./documents/index.ts";
import { reference } from "./reference/index.ts";
import { server } from "./server/index.ts";

const collection: CollectionPart = {
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

export const parts: Parts = {
  protocol: "signed-envelope",
  cases,
  client,
  collection,
  documents,
  reference,
  server,
};
