import type { RotateCredentialHandler } from "../../../generated/operator/handlers.ts";
import type { RotateCredentialResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import { replaceApiKey } from "../services/users/api-key.ts";
import { expiryField } from "../services/expiry-field.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

const standardOverlapSeconds = 24 * 60 * 60;

/**
 * Gives a user a new API key. The former one stays valid for the overlap, so that callers can change over; a
 * user never has more than two valid keys.
 *
 * @see section 5.2 · D-18
 */
export const rotateCredential: RotateCredentialHandler<Contexts> = async (payload, context) => {
  const user = await scopedReader(context).user(payload.userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  const expiresAt = expiryField(context, payload.expiresAt, "/expiresAt");

  const overlapMs = (payload.overlapSeconds ?? standardOverlapSeconds) * 1000;
  const { issued, formerExpiresAt } = await replaceApiKey(context, user.userName, { overlapMs, expiresAt });
  context.invalidateCaller(user.userName);
  return {
    ...issued,
    ...omitUndefined({
      formerExpireAt: formerExpiresAt === undefined ? undefined : timestampText(formerExpiresAt),
    } satisfies Given<RotateCredentialResult>),
  };
};
