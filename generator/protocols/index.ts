import type { ServiceModel } from "../model/service-model.ts";
import { jsonRpc } from "./json-rpc/index.ts";
import type { Protocol } from "./protocol.ts";
import { signed } from "./signed/index.ts";

const protocols: Readonly<Record<ServiceModel["wire"]["protocol"], Protocol>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};

/** The protocol of an interface. */
export function protocolOf({ wire }: Pick<ServiceModel, "wire">): Protocol {
  return protocols[wire.protocol];
}
