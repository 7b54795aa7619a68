import { createHash } from "node:crypto";
import { canonicalBytes } from "../../../runtime/auth/signing/index.ts";

/**
 * SHA-256 of what a request says, in RFC 8785 form, lower-case hex: equal for equal content, however its members
 * were ordered and its numbers written. Amounts survive, because they have at most 15 significant digits (D-37).
 */
export function contentHash(content: object): string {
  return createHash("sha256")
    .update(canonicalBytes(JSON.parse(JSON.stringify(content))))
    .digest("hex");
}
