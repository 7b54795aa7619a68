import type { KeyObject } from "node:crypto";
import type { MethodDescriptor } from "../../contract/index.ts";
import { readPublicKey } from "../../signing/index.ts";
import { foldName, type Envelope } from "../decode/index.ts";
import type { PipelineRules } from "../options.ts";

/**
 * The key that the payload itself presents, where the method registers one: signing with its private half proves
 * possession of it (D-21). Whoever registers it is still checked by credential and one-time password.
 */
export function presentedKey(
  rule: PipelineRules["proofOfPossession"],
  method: MethodDescriptor,
  { payload }: Envelope,
): KeyObject | undefined {
  if (rule === undefined || rule.method !== method.name) return undefined;
  const field = foldName(rule.field);
  const name = Object.keys(payload).find((key) => foldName(key) === field);
  const pem = name === undefined ? undefined : payload[name];
  return typeof pem === "string" ? readPublicKey(pem) : undefined;
}
