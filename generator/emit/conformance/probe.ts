import type { MethodModel, ServiceModel } from "../../model/service-model.ts";

/**
 * The operation by which what concerns all of them is tried: one that only reads, and of which the document says most
 * errors. Undefined where there is no enveloped operation that reads.
 */
export function probeOf({ methods }: ServiceModel): MethodModel | undefined {
  return methods
    .filter(({ transport, effect }) => transport.kind === "enveloped" && effect === "read")
    .toSorted((a, b) => documentedErrors(b) - documentedErrors(a))[0];
}

function documentedErrors({ errors }: MethodModel): number {
  return errors.filter(({ section }) => section !== undefined).length;
}
