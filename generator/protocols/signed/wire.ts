import type {
  EnvelopedTransportModel,
  EnvelopeWireModel,
  FlatTransportModel,
  MethodModel,
  ServiceModel,
  WireModel,
} from "../../model/service-model.ts";

export function isEnvelope(wire: WireModel): wire is EnvelopeWireModel {
  return wire.protocol === "signed-envelope";
}

/** The wire of a signed interface; throws for any other. */
export function wireOf({ wire }: Pick<ServiceModel, "wire">): EnvelopeWireModel {
  if (!isEnvelope(wire)) throw new Error(`${wire.protocol} is not the signed envelope`);
  return wire;
}

/** How a method of a signed interface travels; throws for any other. */
export function signedTransport(
  transport: MethodModel["transport"],
): EnvelopedTransportModel | FlatTransportModel {
  if (transport.kind === "enveloped" || transport.kind === "flat") return transport;
  throw new Error(`a call of the kind ${transport.kind} has no signed envelope`);
}
