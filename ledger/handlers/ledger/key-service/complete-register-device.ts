import type { CompleteRegisterDeviceHandler } from "../../../../generated/ledger/handlers.ts";
import { omitUndefined } from "../../../../runtime/contract/index.ts";
import { oneTimePasswordLimits as limits, matchesOneTimePassword } from "../../services/users.ts";
import type { RegistrationRecord, UserRecord } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { readPublicKey } from "../../../../runtime/auth/signing/index.ts";
import type { Contexts } from "../contexts.ts";
import {
  userByName,
  registrationOf,
  registrations,
  users,
  deviceKeys,
} from "../../../../runtime/store/tables/index.ts";

/**
 * Completes the registration of a device that the operator started. After success the device is registered,
 * and subsequent operations are signed with the device's private key. Any active key of the same user
 * signs this call. For the first key of a user, the private half of PublicKey signs it.
 *
 * @see section 4.13 · D-20 · D-21
 */
export const completeRegisterDevice: CompleteRegisterDeviceHandler<Contexts> = async (payload, context) => {
  const { store, clock, ids } = context;
  const { PublicKey: publicKeyPem, MFP: fingerprint } = payload;
  if (publicKeyPem !== undefined && readPublicKey(publicKeyPem) === undefined) {
    throw context.error("BAD_INPUT", { field: "/PublicKey" });
  }

  const user = await store.one(userByName, context.caller.userName);
  const registration = await registrationOf(store, payload.OtpToken);
  const matches = matchesOneTimePassword(registration, payload.OtpToken, payload.Otp);
  const usable =
    user !== undefined && registration !== undefined && isUsable(registration, user, clock.now());
  if (!usable || payload.UserName !== user.userName || !matches) {
    await countFailure(user, registration, context);
    throw context.error("INVALID_OTP");
  }

  const keyId = ids.id();
  await store.replace(registrations, { ...registration, usedAt: clock.now() }, registration);
  await store.replace(users, withoutFailures(user), user);
  await store.insert(deviceKeys, {
    keyId,
    userName: user.userName,
    status: publicKeyPem === undefined ? "PENDING" : "ACTIVE",
    ...omitUndefined({
      publicKeyPem,
      fingerprintJson: fingerprint === undefined ? undefined : JSON.stringify(fingerprint),
    }),
    createdAt: clock.now(),
  });
  context.invalidateCaller(user.userName);
  return { Status: "SUCCESS", KeyId: keyId };
};

/**
 * Whether the registration is this user's, open, and neither it nor the user has failed too often (D-20). One from before
 * the clock was set back is over: how long it has been open is not known.
 */
function isUsable(registration: RegistrationRecord, user: UserRecord, nowMs: number): boolean {
  const leftMs = registration.expiresAt - nowMs;
  return (
    registration.userName === user.userName &&
    registration.usedAt === undefined &&
    leftMs > 0 &&
    leftMs <= limits.validMs + limits.skewMs &&
    registration.failures < limits.triesPerToken &&
    (user.otpLockedUntil ?? 0) <= nowMs
  );
}

/** Counts a failure against the token and the user, and keeps the count although the call fails (D-20). */
async function countFailure(
  user: UserRecord | undefined,
  registration: RegistrationRecord | undefined,
  context: WriteContext,
): Promise<void> {
  const { store, clock } = context;
  if (user === undefined) return;
  const lockedMs = (user.otpLockedUntil ?? 0) - clock.now();
  if (lockedMs > 0 && lockedMs <= limits.lockMs) return;
  context.commitOnFailure();
  if (lockedMs > limits.lockMs) {
    // The clock was set back: the lock lasts no longer than one that begins now.
    await store.replace(users, { ...user, otpLockedUntil: clock.now() + limits.lockMs }, user);
    return;
  }
  const failures = user.otpFailures + 1;
  const locks = failures >= limits.consecutiveFailures;
  const counted = locks ? { otpLockedUntil: clock.now() + limits.lockMs } : { otpFailures: failures };
  await store.replace(users, { ...withoutFailures(user), ...counted }, user);
  if (registration?.userName === user.userName) {
    await store.replace(
      registrations,
      { ...registration, failures: registration.failures + 1 },
      registration,
    );
  }
}

function withoutFailures({ otpLockedUntil: _lockedUntil, ...user }: UserRecord): UserRecord {
  return { ...user, otpFailures: 0 };
}
