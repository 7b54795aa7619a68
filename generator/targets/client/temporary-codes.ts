import type { ServiceModel } from "../../model/service-model.ts";

/** Codes with which the service asks the caller to try again later. */
export function temporaryCodes({ faults }: ServiceModel): readonly string[] {
  const codes = [faults["rateLimited"], faults["unavailable"]].filter((code) => code !== undefined);
  return [...new Set(codes)];
}
