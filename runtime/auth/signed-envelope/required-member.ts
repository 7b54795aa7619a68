import { AuthFault } from "../../ports/index.ts";
import type { Claims } from "./claims.ts";

/** A member as non-empty text; throws the fault of a missing or malformed one (D-06). */
export function requiredMember(claims: Claims, member: string): string {
  const value = claims[member];
  if (value === undefined || value === "") throw new AuthFault({ member, reason: "missing" });
  if (typeof value !== "string") throw malformedMember(member);
  return value;
}

export function malformedMember(member: string): AuthFault {
  return new AuthFault({ member, reason: "malformed" });
}
