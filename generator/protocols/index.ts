import type { ServiceModel } from "../model/service-model.ts";
import { byProtocol, modulesOf } from "./folders.ts";
import type { Protocol } from "./protocol.ts";

const protocols = byProtocol<Protocol>("facts", await modulesOf("facts"));

/** The protocol of an interface. */
export function protocolOf({ wire }: Pick<ServiceModel, "wire">): Protocol {
  return protocols.of(wire.protocol);
}
