import { openStandardAccess } from "../../../conformance/request/standard-access.ts";
import { wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import type { ProtocolTools } from "../port.ts";
import { newCredential } from "./new-credential.ts";
import { standardRequest } from "./request.ts";

/** JSON-RPC 2.0 by the letter. */
export const jsonRpc: ProtocolTools = {
  readAccess(model, file) {
    const { protocol, http, batch } = wireOf(model);
    return openStandardAccess(file, { protocol, ...http, batch, schemes: model.schemes });
  },
  newAccess({ schemes }, samples) {
    const credentials = schemes.flatMap((scheme) => {
      const credential = newCredential(scheme);
      return credential === undefined ? [] : [[scheme.name, credential] as const];
    });
    return { credentials: Object.fromEntries(credentials), samples };
  },
  request: standardRequest,
  unauthenticated: (model) => String(wireOf(model).faults.unauthenticated.code),
};
