import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import {
  bySectionThen,
  flatBodies,
  selectingValues,
  type HeldValue,
  type LoadedSpec,
  type MethodSpec,
} from "../../language/index.ts";
import type { EnvelopeWireModel, MethodModel } from "../../model/service-model.ts";
import { requestIdModel } from "../../model/resolve.ts";
import type { ProtocolModel } from "../../model/protocol-model.ts";

export const model: ProtocolModel = {
  protocol: "signed-envelope",
  path: ({ path }) => path,
  wire: ({ interface: { wire } }): EnvelopeWireModel =>
    omitUndefined({
      protocol: "signed-envelope",
      requestId: requestIdModel(wire.requestId),
      nullError: wire.nullError,
    }),
  transport: transportOf,
};

/** The members are listed in the interface's order, so that their order in the spec means nothing. */
function transportOf(
  spec: MethodSpec,
  { spec: { methods }, interface: { wire }, scope }: LoadedSpec,
): MethodModel["transport"] {
  if (spec.flat !== undefined) {
    const bodies = flatBodies(methods, scope);
    const body = bodies.find(({ method }) => method === spec);
    const only = body === undefined ? new Map<string, HeldValue>() : selectingValues(body, bodies, scope);
    const selectedBy = spec.flat.selectedBy.map((field) => field.value);
    return omitUndefined({
      kind: "flat",
      selectedBy,
      only: only.size > 0 ? Object.fromEntries(only) : undefined,
      order: spec.flat.order?.value,
    });
  }
  const required = new Set((spec.auth?.members ?? []).map((member) => member.value));
  const auth = (scope.auth?.members ?? []).filter((member) => required.has(member.name.value));
  return omitUndefined({
    kind: "enveloped",
    auth: auth.toSorted(bySectionThen((member) => member.name.value)).map((member) => member.name.value),
    jsonrpc: spec.jsonrpc?.value !== "absent",
    nullError: wire.nullError,
    requestId: requestIdModel(spec.requestId),
  });
}
