import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import type { ErrorEntry, Suite } from "../../../conformance/suite/suite.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { plainShape, statedOf } from "./plain-shape.ts";

/** How calls of a standard interface travel; of the signed envelope, what ids are where the spec says so. */
export function wireOf({ wire, schemes }: ServiceModel): Pick<Suite, "wire" | "requestId"> {
  if (wire.protocol === "signed-envelope")
    return wire.requestId === undefined ? {} : { requestId: wire.requestId };
  const { protocol, http, batch } = wire;
  return {
    wire: {
      protocol,
      status: http.status,
      notified: http.notified,
      batch,
      schemes: schemes.map(({ name, kind, options }) => ({ name, kind, options })),
    },
  };
}

/** The codes of what the runtime detects. `badInput` stands for wrong parameters in every interface. */
export function faultsOf({ wire, faults }: ServiceModel): Suite["faults"] {
  if (wire.protocol === "signed-envelope") return faults;
  const names = Object.entries(wire.faults).map(([fault, { name }]) => [fault, name]);
  return { ...Object.fromEntries(names), badInput: wire.faults.invalidParams.name };
}

/** The declared errors, and those of the runtime that no declaration names. */
export function errorsOf(model: ServiceModel): readonly ErrorEntry[] {
  const declared = model.errors.map((error): ErrorEntry =>
    omitUndefined({
      ...statedOf(error),
      code: error.code,
      message: error.message,
      httpStatus: error.httpStatus,
      rpcCode: error.rpcCode,
      wireCode: error.wireCode,
      everyMethod: error.everyMethod,
      data: error.data === undefined ? undefined : plainShape(error.data),
    }),
  );
  if (model.wire.protocol === "signed-envelope") return declared;
  const detected = Object.values(model.wire.faults);
  const known = new Set(detected.map(({ name }) => name));
  return [
    ...declared.map((error) => (known.has(error.code) ? { ...error, everyMethod: true } : error)),
    ...detected
      .filter(({ name }) => !declared.some(({ code }) => code === name))
      .map(({ name, code, message, httpStatus }) => ({
        decisions: [],
        code: name,
        message,
        httpStatus,
        rpcCode: code,
        everyMethod: true,
      })),
  ];
}
