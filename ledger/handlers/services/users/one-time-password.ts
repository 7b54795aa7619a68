import { createHash, timingSafeEqual } from "node:crypto";
import type { IdSource, RegistrationRecord } from "../../../../runtime/store/ports/index.ts";

/** How often and how long a one-time password may be tried (D-20). */
export const oneTimePasswordLimits = {
  digits: 6,
  validMs: 5 * 60_000,
  /** How much longer it may seem to be valid: the clocks of two processes differ. More says that the clock was set back. */
  skewMs: 60_000,
  triesPerToken: 5,
  /** In a row, over all tokens of a user; then the user waits for `lockMs`. */
  consecutiveFailures: 10,
  lockMs: 15 * 60_000,
} as const;

const tokenBytes = 16;

/** A new token of 32 hexadecimal digits and the one-time password that goes with it (D-20). */
export function newOneTimePassword(ids: IdSource): { readonly otpToken: string; readonly otp: string } {
  const { digits } = oneTimePasswordLimits;
  return {
    otpToken: Buffer.from(ids.bytes(tokenBytes)).toString("hex"),
    otp: ids
      .integer(10 ** digits)
      .toString()
      .padStart(digits, "0"),
  };
}

/** The stored hash of a one-time password: SHA-256 over it and its token, lower-case hex. */
export function hashOneTimePassword(otpToken: string, otp: string): string {
  return oneTimePasswordDigest(otpToken, otp).toString("hex");
}

/** Whether the password is the registration's: as much work where there is no registration, in constant time. */
export function matchesOneTimePassword(
  registration: RegistrationRecord | undefined,
  otpToken: string,
  otp: string,
): boolean {
  const digest = oneTimePasswordDigest(otpToken, otp);
  const stored =
    registration === undefined ? Buffer.alloc(digest.length) : Buffer.from(registration.otpHash, "hex");
  return stored.length === digest.length && timingSafeEqual(stored, digest) && registration !== undefined;
}

/** The token has no colon, so the two cannot run into each other. */
function oneTimePasswordDigest(otpToken: string, otp: string): Buffer {
  return createHash("sha256").update(`${otpToken}:${otp}`).digest();
}
