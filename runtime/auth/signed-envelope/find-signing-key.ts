import type { KeyObject } from "node:crypto";
import { AuthFault, type AuthCall, type UserRecord } from "../../ports/index.ts";
import { claimedBy, type Claims } from "./claims.ts";
import type { StepOptions } from "./options.ts";
import { presentedKey } from "./presented-key.ts";
import { requiredMember } from "./required-member.ts";

/** The key that must have signed. */
export interface SigningKey {
  readonly publicKey: KeyObject;
  /** Absent where the key is only presented, not registered (D-21). */
  readonly registeredId?: string;
}

export type FindSigningKey = (user: UserRecord, call: AuthCall, claims: Claims) => Promise<SigningKey>;

/** The key step: an ACTIVE key of this very user (D-17), or the one that the payload presents (D-21). */
export function createKeyFinder({ callers, proofOfPossession }: StepOptions): FindSigningKey {
  return async (user, call, claims) => {
    const keyId = requiredMember(claims, "keyId");
    const active = await callers.activeKey(keyId, user);
    if (active !== undefined && active.userName === user.userName) {
      return { publicKey: active.publicKey, registeredId: keyId };
    }
    const publicKey = presentedKey(proofOfPossession, call);
    if (publicKey === undefined) throw new AuthFault({ fault: "unknownKey" }, claimedBy(claims));
    return { publicKey };
  };
}
