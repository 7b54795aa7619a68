import type {
  JsonRpcTransportModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
} from "../../model/service-model.ts";

/** The wire of a standard interface; throws for any other. */
export function wireOf({ wire }: Pick<ServiceModel, "wire">): JsonRpcWireModel {
  if (wire.protocol !== "json-rpc-2.0") throw new Error(`${wire.protocol} is not JSON-RPC 2.0`);
  return wire;
}

/** How a method of a standard interface travels; throws for any other. */
export function jsonRpcTransport(transport: MethodModel["transport"]): JsonRpcTransportModel {
  if (transport.kind !== "json-rpc") throw new Error(`${transport.kind} is not JSON-RPC 2.0`);
  return transport;
}
