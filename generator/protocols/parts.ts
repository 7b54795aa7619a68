import type { ServiceModel } from "../model/service-model.ts";
import { parts as jsonRpc } from "./json-rpc/parts.ts";
import type { Parts } from "./protocol.ts";
import { parts as signed } from "./signed/parts.ts";

const parts: Readonly<Record<ServiceModel["wire"]["protocol"], Parts>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};

/** What targets print for an interface. */
export function partsOf({ wire }: Pick<ServiceModel, "wire">): Parts {
  return parts[wire.protocol];
}
