import type { ServiceModel } from "../../generator/model/index.ts";
import { MissingPart } from "../../generator/protocols/folders.ts";
import { jsonRpc } from "./json-rpc/index.ts";
import type { ProtocolTools } from "./port.ts";
import { signed } from "./signed/index.ts";

export type { SignedRequest, UnsignedCall } from "./port.ts";

const tools: Readonly<Record<string, ProtocolTools>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};

/** How the tools speak the protocol of an interface. @throws MissingPart if they do not */
export function toolsOf({ wire: { protocol } }: Pick<ServiceModel, "wire">): ProtocolTools {
  const own = tools[protocol];
  if (own === undefined) throw new MissingPart(protocol, "the tools", "tools/protocols");
  return own;
}
