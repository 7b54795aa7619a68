import type { ProtocolModel } from "../model/protocol-model.ts";
import type { WireModel } from "../model/service-model.ts";
import { model as jsonRpc } from "./json-rpc/model.ts";
import { model as signed } from "./signed/model.ts";

/** The part of each protocol in building a model. */
export const modelOf: Readonly<Record<WireModel["protocol"], ProtocolModel>> = {
  "json-rpc-2.0": jsonRpc,
  "signed-envelope": signed,
};
