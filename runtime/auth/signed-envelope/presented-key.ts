import type { KeyObject } from "node:crypto";
import type { AuthCall, AuthOptions } from "../../ports/index.ts";
import { readPublicKey } from "../../signing/index.ts";

/**
 * The key that the payload itself presents, where the method registers one: signing with its private half proves
 * possession of it (D-21). The credential and the one-time password are checked all the same.
 */
export function presentedKey(rule: AuthOptions["proofOfPossession"], call: AuthCall): KeyObject | undefined {
  if (rule === undefined || rule.method !== call.currentMethod) return undefined;
  const pem = call.payloadField(rule.field);
  return typeof pem === "string" ? readPublicKey(pem) : undefined;
}
