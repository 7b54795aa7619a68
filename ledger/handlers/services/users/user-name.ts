import { createHash } from "node:crypto";

/** An identifier that can begin a user name as it is. It has no dot, so that the first one of a name ends the prefix. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,22}$/;

/**
 * What the names of an institution's users begin with: its identifier and a dot, at most 24 characters. Identifiers that
 * are longer or have other characters stand as a hash, so that no two institutions have the same.
 */
export function userNamePrefix(institutionId: string): string {
  if (plain.test(institutionId)) return `${institutionId}.`;
  return `${createHash("sha256").update(institutionId).digest("hex").slice(0, 23)}.`;
}
