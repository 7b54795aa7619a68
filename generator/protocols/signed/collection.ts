import { createPrivateKey } from "node:crypto";
import type { CollectionPart } from "../protocol.ts";

export const collection: CollectionPart = {
  script: "sign-envelope",
  variables: ["userName", "apiKey", "keyId", "privateKey"],
  headers: ({ transport }, { revision }) => ({
    "X-Interface-Revision": revision,
    ...(transport.kind === "flat" && { Signature: "flat" }),
  }),
  values(access, isOperator) {
    const identity = isOperator ? access.operator : access;
    if (identity === undefined) throw new Error("the access file has no operator");
    const { userName, apiKey, keyId, privateKeyPem } = identity;
    const der = createPrivateKey(privateKeyPem).export({ format: "der", type: "pkcs8" });
    return { userName, apiKey, keyId, privateKey: der.toString("base64") };
  },
};
