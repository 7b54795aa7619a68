import { provesKey } from "../../../conformance/suite/proves-key.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";

/**
 * The operation by which what concerns all of them is tried: one that only reads, and of which the document says most
 * errors. Undefined where no answered operation reads.
 */
export function probeOf({ methods }: ServiceModel): MethodModel | undefined {
  return methods
    .filter((method) => isAnswered(method) && method.effect === "read")
    .toSorted((a, b) => rank(b) - rank(a))[0];
}

/**
 * The method by which a standard interface is tried: a reading one that is open to all, if there is one; of several the one
 * with most examples of results, then the one that declares fewest errors.
 */
export function standardProbe({ methods }: ServiceModel): MethodModel | undefined {
  const answered = methods
    .filter(isAnswered)
    .toSorted((a, b) => successes(b) - successes(a) || a.errors.length - b.errors.length);
  const ranks = [
    ({ effect, security }: MethodModel) => effect === "read" && security.length === 0,
    ({ effect }: MethodModel) => effect === "read",
    ({ effect }: MethodModel) => effect === "set",
  ];
  return ranks.map((rank) => answered.find(rank)).find((method) => method !== undefined) ?? answered[0];
}

function isAnswered({ transport }: MethodModel): boolean {
  return transport.kind === "enveloped" || (transport.kind === "json-rpc" && transport.notify !== "only");
}

function successes({ examples }: MethodModel): number {
  return examples.filter(({ error }) => error === undefined).length;
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
