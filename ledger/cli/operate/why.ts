import {
  OperatorError,
  type GetDeliveryResult,
  type OperatorClient,
  type Subscription,
} from "../../../generated/operator/client/index.ts";

/** Why one webhook has not arrived, in sentences, and what to do about it. */
export interface Explanation {
  readonly deliveryId: string;
  readonly state: string;
  readonly because: readonly string[];
  readonly whatToDo: readonly string[];
}

/** Puts together the delivery, its attempts and the state of its subscription. */
export async function explainDelivery(client: OperatorClient, deliveryId: string): Promise<Explanation> {
  const shown = await client.getDelivery({ deliveryId });
  return explain(shown, await subscriptionOf(client, shown.delivery.subscriptionId));
}

/** Undefined if the subscription was deleted. */
async function subscriptionOf(
  client: OperatorClient,
  subscriptionId: string,
): Promise<Subscription | undefined> {
  try {
    return (await client.getSubscription({ subscriptionId })).subscription;
  } catch (error) {
    if (error instanceof OperatorError && error.code.startsWith("NOT_FOUND")) return undefined;
    throw error;
  }
}

const stateTexts: Readonly<Record<string, string>> = {
  PENDING: "It has not arrived yet: its next attempt is to come.",
  WAITING: "It waits for an earlier event of the same account, because the subscription is ordered.",
  HELD: "It is held, because the subscription is not enabled.",
  DELIVERED: "It arrived: the receiver answered with 2xx.",
  DEAD: "It is a dead letter: all its attempts failed, or its address is gone.",
  CANCELLED: "It was cancelled and is not sent any more.",
};

const failureTexts: Readonly<Record<string, readonly [because: string, whatToDo: string]>> = {
  timeout: ["the receiver did not answer in time", "Have the receiver answer first and work afterwards."],
  "refused-address": [
    "the address is one that the service never calls (events.allowPrivateCallbacks)",
    "Give the subscription an address in a public network.",
  ],
  name: ["the name in the address has no IP address", "Correct the DNS entry or the callbackUrl."],
  connect: ["nothing accepted the connection", "Start the receiver, or open its firewall for the service."],
  tls: ["TLS failed", "Give the receiver a certificate that a public authority signed for this name."],
  connection: ["the connection broke", "Look at the receiver's log, and at proxies between."],
  redirect: ["the receiver redirects, which is never followed", "Put the final address into callbackUrl."],
  gone: ["the receiver answered 410 Gone", "Give the subscription its new address and enable it."],
  status: ["the receiver answered with an error", "Look at the receiver's log at the time of the attempt."],
  response: ["what came back is not HTTP", "Check that callbackUrl names the right port and scheme."],
  unsendable: ["the notification could not be made", "Look at the service's log: its own message says why."],
};

const disabledTexts: Readonly<Record<string, string>> = {
  OPERATOR: "an operator disabled it",
  FAILING: "nothing arrived for 120 hours",
  GONE: "its address answered 410",
  REVOKED: "the last credential of its user was revoked",
};

export function explain(
  { delivery, attemptsMade }: GetDeliveryResult,
  subscription: Subscription | undefined,
): Explanation {
  const { deliveryId, subscriptionId, state } = delivery;
  const because = [stateTexts[state] ?? `Its state is ${state}.`];
  const whatToDo: string[] = [];
  if (delivery.cancelReason !== undefined) because.push(`The reason is ${delivery.cancelReason}.`);
  const last = attemptsMade.findLast(({ failure }) => failure !== undefined);
  if (last?.failure !== undefined && state !== "DELIVERED") {
    const [reason, remedy] = failureTexts[last.failure] ?? [last.failure, undefined];
    const status = last.status === undefined ? "" : ` (HTTP ${last.status})`;
    const detail = last.detail === undefined ? "" : `: ${last.detail}`;
    because.push(`Attempt ${last.number} of ${last.startedDate} failed: ${reason}${status}${detail}.`);
    if (remedy !== undefined) whatToDo.push(remedy);
  }
  if (delivery.nextAttemptDate !== undefined)
    because.push(`The next attempt is due at ${delivery.nextAttemptDate}.`);
  if (subscription === undefined) because.push(`Its subscription ${subscriptionId} does not exist any more.`);
  else if (!subscription.enabled) {
    const { disabledReason = "", disabledDate } = subscription;
    const why = disabledTexts[disabledReason] ?? disabledReason;
    because.push(`Its subscription is not enabled since ${disabledDate ?? "its creation"}: ${why}.`);
    whatToDo.push(`ledger-server subscriptions update ${subscriptionId} --enabled true --resume true`);
  }
  if (subscription?.statistics.pausedUntil !== undefined)
    because.push(
      `The service pauses its attempts at this address until ${subscription.statistics.pausedUntil}.`,
    );
  if (["DEAD", "PENDING"].includes(state)) whatToDo.push(`ledger-server deliveries resend ${deliveryId}`);
  return { deliveryId, state, because, whatToDo };
}

export function explanationText({ deliveryId, because, whatToDo }: Explanation): string {
  const remedies = whatToDo.length === 0 ? ["Nothing."] : whatToDo;
  return [
    `Delivery ${deliveryId}`,
    ...because,
    "",
    "What to do:",
    ...remedies.map((line) => `  ${line}`),
  ].join("\n");
}
