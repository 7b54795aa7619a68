import type { StartDeviceRegistrationHandler } from "../../../generated/operator/handlers.ts";
import { oneTimePasswordLimits, hashOneTimePassword, newOneTimePassword } from "../services/users.ts";
import { timestampText } from "../../../runtime/contract/index.ts";
import { documentedRealm } from "../services/realms.ts";
import { requireApproval } from "../services/approvals.ts";
import { visible } from "../services/scoped-reader.ts";
import { requireRoomForKey } from "../../../runtime/operations/admin/index.ts";
import type { BankMailDraft } from "../../mails.ts";
import type { Contexts } from "./contexts.ts";
import { registrations } from "../../../runtime/store/tables/index.ts";

const { validMs } = oneTimePasswordLimits;

/**
 * Starts the registration of a device: answers with a token and mails a one-time password of 6 digits to the
 * user. CompleteRegisterDevice takes both, within 5 minutes and once.
 *
 * @see section 4.13 · D-20
 */
export const startDeviceRegistration: StartDeviceRegistrationHandler<Contexts> = async (payload, context) => {
  requireApproval(context, "credentials");
  const { store, clock, ids, mail } = context;
  const user = await visible(context).user(payload.userName);
  if (user?.realm !== documentedRealm) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  await requireRoomForKey(context, user.userName);

  const { otpToken, otp } = newOneTimePassword(ids);
  const expiresAt = clock.now() + validMs;
  await store.insert(registrations, {
    otpToken,
    userName: user.userName,
    otpHash: hashOneTimePassword(otpToken, otp),
    failures: 0,
    expiresAt,
    createdAt: clock.now(),
  });
  const { institutionId, userName, email } = user;
  await mail.queue(
    { kind: "one-time-password", to: email, otp, validMinutes: validMs / 60_000 } satisfies BankMailDraft,
    { institutionId, userName, expiresAt },
  );
  return { OtpToken: otpToken, expiresAt: timestampText(expiresAt) };
};
