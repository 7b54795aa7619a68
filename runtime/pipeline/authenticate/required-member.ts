import type { AuthMember, InterfaceDescriptor } from "../../contract/index.ts";
import { PipelineFault } from "../fault.ts";
import type { Claims } from "./claims.ts";

/** A member as non-empty text; throws the code that the interface gives for a missing or malformed one (D-06). */
export function requiredMember(
  { missingAuth }: InterfaceDescriptor,
  claims: Claims,
  member: AuthMember,
): string {
  const value = claims[member];
  if (value === undefined || value === "")
    throw new PipelineFault(missingAuth[member], { reason: "missing" });
  if (typeof value !== "string") throw malformedMember({ missingAuth }, member);
  return value;
}

export function malformedMember(
  { missingAuth }: Pick<InterfaceDescriptor, "missingAuth">,
  member: AuthMember,
): PipelineFault {
  return new PipelineFault(missingAuth[member], { reason: "malformed" });
}
