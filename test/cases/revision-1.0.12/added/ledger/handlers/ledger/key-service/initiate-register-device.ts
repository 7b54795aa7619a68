import type { InitiateRegisterDeviceHandler } from "../../../../generated/ledger/handlers.ts";
import { hashOneTimePassword, newOneTimePassword, oneTimePasswordLimits } from "../../services/users.ts";
import type { Contexts } from "../contexts.ts";
import { userByName, registrations } from "../../../../runtime/store/tables/index.ts";

const { validMs } = oneTimePasswordLimits;

/**
 * Starts the registration of a device of the caller's: answers with a token and mails a one-time password of
 * 6 digits to the caller. CompleteRegisterDevice takes both, within 5 minutes and once.
 *
 * @see section 4.13.1 · D-20
 * @since 1.0.12
 */
export const initiateRegisterDevice: InitiateRegisterDeviceHandler<Contexts> = async (_payload, context) => {
  const { store, clock, ids, mail } = context;
  const user = await store.one(userByName, context.caller.userName);
  if (user === undefined) throw context.error("UNAUTHORIZED");

  const { otpToken, otp } = newOneTimePassword(ids);
  await store.insert(registrations, {
    otpToken,
    userName: user.userName,
    otpHash: hashOneTimePassword(otpToken, otp),
    failures: 0,
    expiresAt: clock.now() + validMs,
    createdAt: clock.now(),
  });
  const { institutionId, userName, email } = user;
  await mail.queue(
    { kind: "one-time-password", to: email, otp, validMinutes: validMs / 60_000 },
    { institutionId, userName, expiresAt: context.clock.now() + validMs },
  );
  return { OtpToken: otpToken };
};
