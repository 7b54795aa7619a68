import { subscribe as addSubscription } from "ledger-rpc-runtime/server";
import type { SubscribeHandler } from "../../generated/handlers.ts";
import { topic } from "../tasks.ts";
import type { Contexts } from "./contexts.ts";

/** Posts each event to an address, signed as Standard Webhooks says. */
export const subscribe: SubscribeHandler<Contexts> = async ({ callbackUrl }, context) => {
  const wanted = { name: callbackUrl, callbackUrl, events: ["Task.FINISHED"], topics: [topic] };
  const added = await addSubscription(context, wanted);
  return { subscriptionId: added.id, secret: context.sealer.open(added.secretSealed) };
};
