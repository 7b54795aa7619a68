import type { ServiceModel } from "../../../model/service-model.ts";

/** The conditions of `Fault` in the runtime's contract, each with the one to fall back on. */
const faults = [
  "badInput",
  "unauthorized",
  "badCredential",
  "unknownKey",
  "invalidSignature",
  "conflict",
  "rateLimited",
  "unavailable",
  "internal",
] as const;

/** The fault that the absence of each `params.api` member is, where the spec names no code for it (D-06). */
const faultOfMissing = {
  credential: "badCredential",
  keyId: "unknownKey",
  signature: "invalidSignature",
  apiKey: "badCredential",
} as const;

/** The code of every fault, in the contract's order. */
export function faultCodes(model: ServiceModel): Readonly<Record<string, string>> {
  return Object.fromEntries(
    faults.flatMap((fault) => {
      const code = model.faults[fault];
      return code === undefined ? [] : [[fault, code]];
    }),
  );
}

/** The code answered when a `params.api` member is missing, for every member that the contract knows. */
export function missingAuthCodes(model: ServiceModel): Readonly<Record<string, string>> {
  const declared = new Map(model.auth.map((member) => [member.name, member.missing]));
  return Object.fromEntries(
    Object.entries(faultOfMissing).flatMap(([name, fault]) => {
      const code = declared.get(name) ?? model.faults[fault];
      return code === undefined ? [] : [[name, code]];
    }),
  );
}
