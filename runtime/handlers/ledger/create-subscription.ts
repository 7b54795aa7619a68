import type { CreateSubscriptionHandler } from "../../../generated/ledger/handlers.ts";
import { omitUndefined } from "../../contract/index.ts";
import { checkCallbackAddress } from "../../domain/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import { newWebhookSecret } from "../services/webhook-secret.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Subscribes a callback address to events of the listed accounts. Sent as a flat body; the headers
 * Authorization and Signature carry the credential and the signature over the body.
 *
 * @see section 4.15 · D-22 · D-40
 */
export const createSubscription: CreateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { caller, clock, ids, policy, sealer, store } = context;
  const address = checkCallbackAddress(payload.callbackUrl, policy);
  if (!address.ok) throw context.error("BAD_INPUT", { field: "/callbackUrl", reason: address.fault });
  for (const [index, number] of payload.groupId.entries()) {
    const account = await scopedReader(context).accountByNumber(number);
    if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: `/groupId/${index}` });
  }

  const id = ids.id();
  await store.subscriptions.insert({
    id,
    institutionId: caller.institutionId,
    userName: caller.userName,
    name: payload.name,
    callbackUrl: payload.callbackUrl,
    events: [...new Set(payload.events)],
    groupId: [...new Set(payload.groupId)],
    ...omitUndefined({ remarks: payload.remarks }),
    secretSealed: sealer.seal(newWebhookSecret(ids)),
    enabled: true,
    ordered: false,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  });
  return { response: "Subscription created successfully", subscriptionId: id };
};
