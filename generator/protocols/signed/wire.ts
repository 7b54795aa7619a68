import type {
  EnvelopedTransportModel,
  EnvelopeWireModel,
  FlatTransportModel,
  MethodModel,
  ServiceModel,
} from "../../model/service-model.ts";

/** The wire of a signed interface; throws for any other. */
export function wireOf({ wire }: Pick<ServiceModel, "wire">): EnvelopeWireModel {
  if (wire.protocol !== "signed-envelope") throw new Error(`${wire.protocol} is not the signed envelope`);
  return wire;
}

/** How a method of a signed interface travels; throws for any other. */
export function signedTransport(
  transport: MethodModel["transport"],
): EnvelopedTransportModel | FlatTransportModel {
  if (transport.kind === "json-rpc") throw new Error("a call of JSON-RPC 2.0 has no signed envelope");
  return transport;
}
