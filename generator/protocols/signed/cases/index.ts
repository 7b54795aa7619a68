import { provesKey } from "../../../../conformance/suite/methods.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { declaredErrors } from "../../../targets/conformance/suite-of.ts";
import type { CasesPart } from "../../protocol.ts";
import { signedTransport, wireOf } from "../wire.ts";
import { authenticationCases } from "./authentication-cases.ts";
import { endpointCases, headerCases } from "./endpoint-cases.ts";
import { envelopeCases } from "./envelope-cases.ts";
import { flatCases } from "./flat-cases.ts";
import { hygieneCases } from "./hygiene-cases.ts";
import { orderCases } from "./order-cases.ts";

/** The suite's part of signed envelopes. */
export const cases: CasesPart = {
  probe,
  wire: (model) => ({
    ...requestId(model),
    faults: model.faults,
    errors: declaredErrors(model),
  }),
  transport: ({ transport }) => signedTransport(transport),
  add(list) {
    authenticationCases(list);
    orderCases(list);
    endpointCases(list);
    hygieneCases(list);
    envelopeCases(list);
    headerCases(list);
    flatCases(list);
  },
};

/** An operation that only reads, and of which the document says most errors. */
function probe({ methods }: ServiceModel): MethodModel | undefined {
  return methods
    .filter(({ transport, effect }) => transport.kind === "enveloped" && effect === "read")
    .toSorted((a, b) => rank(b) - rank(a))[0];
}

/**
 * Signed operations first: the others have nothing to try of signatures. Those with ids of their own come last: their ids
 * may be wrong in requests that name no operation.
 */
function rank({ errors, transport }: MethodModel): number {
  const stated = errors.filter(({ section }) => section !== undefined).length;
  const hasOwnIds = transport.kind === "enveloped" && transport.requestId !== undefined;
  return stated + (provesKey(transport) ? 1e6 : 0) - (hasOwnIds ? 1e4 : 0);
}

function requestId(model: ServiceModel) {
  const { requestId } = wireOf(model);
  return requestId === undefined ? {} : { requestId };
}
