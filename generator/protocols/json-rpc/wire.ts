import { isJsonRpcFrame } from "../../../conformance/base/frame.ts";
import type {
  JsonRpcTransportModel,
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
  WireModel,
} from "../../model/service-model.ts";

/** Whether an interface speaks JSON-RPC 2.0, or a dialect that names members otherwise. */
export function isStandard(wire: WireModel): wire is JsonRpcWireModel {
  return "frame" in wire;
}

/** The wire of a standard interface; throws for any other. */
export function wireOf({ wire }: Pick<ServiceModel, "wire">): JsonRpcWireModel {
  if (!isStandard(wire)) throw new Error(`${wire.protocol} is not JSON-RPC 2.0`);
  return wire;
}

/** What messages are called: a dialect by its name in `wire.protocol`. */
export function protocolTitle({ frame, protocol }: JsonRpcWireModel): string {
  return isJsonRpcFrame(frame) ? "JSON-RPC 2.0" : protocol;
}

/** How a method of a standard interface travels; throws for any other. */
export function jsonRpcTransport(transport: MethodModel["transport"]): JsonRpcTransportModel {
  if (transport.kind !== "json-rpc") throw new Error(`${transport.kind} is not JSON-RPC 2.0`);
  return transport;
}
