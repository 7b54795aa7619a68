import type { KeyObject } from "node:crypto";
import type { MethodDescriptor } from "../../contract/index.ts";
import type { UserRecord } from "../../ports/index.ts";
import type { Envelope } from "../decode/index.ts";
import type { AuthenticateOptions } from "./options.ts";
import type { Claims } from "./claims.ts";
import { presentedKey } from "./proof-key.ts";
import { requiredMember } from "./required-member.ts";

/** The key that must have signed. */
export interface SigningKey {
  readonly publicKey: KeyObject;
  /** Absent where the key is only presented, not registered (D-21). */
  readonly registeredId?: string;
}

export type FindSigningKey = (
  user: UserRecord,
  method: MethodDescriptor,
  envelope: Envelope,
  claims: Claims,
) => Promise<SigningKey>;

/** The key step: an ACTIVE key of this very user (D-17), or the one that the payload presents (D-21). */
export function createKeyFinder(options: AuthenticateOptions): FindSigningKey {
  const { interfaceDescriptor, fault, callers, rules } = options;

  return async (user, method, envelope, claims) => {
    const keyId = requiredMember(interfaceDescriptor, claims, "keyId");
    const active = await callers.activeKey(keyId);
    if (active !== undefined && active.userName === user.userName) {
      return { publicKey: active.publicKey, registeredId: keyId };
    }
    const publicKey = presentedKey(rules.proofOfPossession, method, envelope);
    if (publicKey === undefined) throw fault("unknownKey");
    return { publicKey };
  };
}
