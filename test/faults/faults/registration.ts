import { createHash } from "node:crypto";
import { RpcError } from "../../../runtime/contract/index.ts";
import { readPublicKey } from "../../../runtime/auth/signing/index.ts";
import type { RegistrationRecord, UserRecord } from "../../../runtime/store/ports/index.ts";
import {
  withContext,
  withHandler,
  withPayload,
  withTables,
  type Context,
  type Payload,
} from "../changes/handlers.ts";
import { each, faultOf, type ChangeOptions, type Fault } from "../fault.ts";
import { userByName, users as usersTable, registrationOf } from "../../../runtime/store/tables/index.ts";

const fault = faultOf("handlers");
const device = "KeyService.CompleteRegisterDevice";
const start = "StartDeviceRegistration";

/** The registration of a device is found otherwise. */
const found = (
  change: (registration: RegistrationRecord, payload: Payload, context: Context) => RegistrationRecord,
): ChangeOptions =>
  withTables(device, ({ registrations }, payload, context) => ({
    registrations: {
      ...registrations,
      async find(otpToken) {
        const registration = await registrations.find(otpToken);
        return registration && change(registration, payload, context);
      },
    },
  }));

/** What is kept of a user is changed. */
const keptUser = (change: (changed: UserRecord, stored: UserRecord) => UserRecord): ChangeOptions =>
  withTables(device, ({ users }) => ({
    users: {
      ...users,
      async replace(changed) {
        const stored = await users.find(changed.userName);
        return users.replace(stored === undefined ? changed : change(changed, stored));
      },
    },
  }));

const ownName = withHandler(
  device,
  (sound) => (payload, context) => sound({ ...payload, UserName: context.caller.userName }, context),
);

/** Faults of the registration of devices (D-20, D-21). */
export const registrationFaults: readonly Fault[] = [
  fault("otp-reusable", "A one-time password works twice.", {
    options: found(({ usedAt: _used, ...registration }) => registration),
  }),
  fault("otp-ignored", "Any one-time password works.", {
    options: found((registration, { OtpToken, Otp }) => ({
      ...registration,
      otpHash: createHash("sha256")
        .update(`${String(OtpToken)}:${String(Otp)}`)
        .digest("hex"),
    })),
  }),
  fault("otp-tries-unlimited", "A token takes any number of tries.", {
    options: found((registration) => ({ ...registration, failures: 0 })),
  }),
  fault("six-tries", "A token takes six tries.", {
    options: found((registration) => ({
      ...registration,
      failures: registration.failures === 5 ? 4 : registration.failures,
    })),
  }),
  fault("otp-tries-not-counted", "Failures are not kept, because the call fails.", {
    options: withContext(device, () => ({ commitOnFailure: () => undefined })),
  }),
  fault("otp-lock-missing", "Ten failures lock nobody.", {
    options: keptUser(({ otpLockedUntil: _unlocked, ...user }) => user),
  }),
  fault("lock-after-eleven", "Eleven failures lock a user, not ten.", {
    options: keptUser((changed, stored) => {
      if (changed.otpLockedUntil === undefined || stored.otpFailures >= 10) return changed;
      const { otpLockedUntil: _unlocked, ...user } = changed;
      return { ...user, otpFailures: 10 };
    }),
  }),
  fault("success-keeps-failures", "A successful registration does not end a row of failures.", {
    options: keptUser((changed, stored) => ({
      ...changed,
      otpFailures: Math.max(changed.otpFailures, stored.otpFailures),
    })),
  }),
  fault("otp-count-reset", "Another registration resets the count of failures.", {
    operatorOptions: withHandler(start, (sound) => async (payload, context) => {
      const user = await context.store.one(userByName, String(payload["userName"]));
      if (user !== undefined) await context.store.replace(usersTable, { ...user, otpFailures: 0 });
      return sound(payload, context);
    }),
  }),
  fault("otp-of-anybody", "A registration works for any user.", {
    options: each(
      found((registration, _payload, { caller }) => ({ ...registration, userName: caller.userName })),
      ownName,
    ),
  }),
  fault("user-name-ignored", "UserName of CompleteRegisterDevice is not compared.", { options: ownName }),
  fault("otp-failures-differ", "An unknown token gets another error than a wrong one-time password.", {
    options: withHandler(device, (sound) => async (payload, context) => {
      const registration = await registrationOf(context.store, String(payload["OtpToken"]));
      if (registration === undefined) throw new RpcError("UNAUTHORIZED");
      return sound(payload, context);
    }),
  }),
  fault("otp-of-an-hour", "A one-time password is valid for an hour.", {
    operatorOptions: withHandler(start, (sound) => async (payload, context) => {
      const clock = { ...context.clock, now: () => context.clock.now() + 55 * 60_000 };
      return sound(payload, { ...context, clock });
    }),
  }),
  fault("predictable-password", "One-time passwords are all the same.", {
    operatorOptions: withContext(start, ({ ids }) => ({ ids: { ...ids, integer: () => 0 } })),
  }),
  fault("unfit-keys", "A public key that cannot be read is taken and not registered.", {
    options: withPayload(device, ({ PublicKey, ...payload }) =>
      typeof PublicKey === "string" && readPublicKey(PublicKey) !== undefined
        ? { ...payload, PublicKey }
        : payload,
    ),
  }),
  fault("device-key-lost", "The key of a registered device is not known.", {
    options: withTables(device, ({ deviceKeys }) => ({
      deviceKeys: { ...deviceKeys, insert: (key) => deviceKeys.insert({ ...key, status: "PENDING" }) },
    })),
  }),
];
