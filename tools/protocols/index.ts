import type { ServiceModel } from "../../generator/model/index.ts";
import { jsonRpc } from "./json-rpc/index.ts";
import type { ProtocolTools } from "./port.ts";
import { signed } from "./signed/index.ts";

export type { SignedRequest, UnsignedCall } from "./port.ts";

const tools: Readonly<Record<ServiceModel["wire"]["protocol"], ProtocolTools>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};

/** How the tools speak the protocol of an interface. */
export function toolsOf({ wire }: Pick<ServiceModel, "wire">): ProtocolTools {
  return tools[wire.protocol];
}
