import type { ServiceModel } from "../../generator/model/index.ts";
import { MissingPart } from "../../generator/protocols/folders.ts";
import { isStandard } from "../../generator/protocols/json-rpc/wire.ts";
import { jsonRpc } from "./json-rpc/index.ts";
import type { ProtocolTools } from "./port.ts";
import { signed } from "./signed/index.ts";

export type { SignedRequest, UnsignedCall } from "./port.ts";

const tools: Readonly<Record<string, ProtocolTools>> = { "signed-envelope": signed };

/** How the tools speak the protocol of an interface. @throws MissingPart if they do not */
export function toolsOf({ wire }: Pick<ServiceModel, "wire">): ProtocolTools {
  const own = isStandard(wire) ? jsonRpc : tools[wire.protocol];
  if (own === undefined) throw new MissingPart(wire.protocol, "the tools", "tools/protocols");
  return own;
}
