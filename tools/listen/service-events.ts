import { setTimeout as sleep } from "node:timers/promises";
import { omitUndefined } from "../../conformance/omit-undefined.ts";
import { openAccess, type Access } from "../../conformance/request/access.ts";
import type { EventLine } from "../mock/index.ts";
import { FinalError, type EventSource, type EventStream } from "./event-source.ts";
import { serviceCalls, ServiceFault, type CallService } from "./service-calls.ts";
import {
  neededIn,
  ownSubscriptions,
  untakenOf,
  type DeliverySummary,
  type SubscriptionSummary,
  type Untaken,
} from "./service-deliveries.ts";

export interface ServiceEventsOptions {
  /** The file that says who calls. */
  readonly access: string;
  /** Origin of the service; default: the file's `baseUrl`. */
  readonly from?: URL;
  /** Only these subscriptions. */
  readonly subscription?: readonly string[];
  /** Also what happened since then. */
  readonly since?: Date;
}

const path = "/partner/jsonrpc";
/** The way out where a service has its partner interface off, or is elsewhere. */
const partnerHint =
  "start the service with its partner interface (LEDGER_PARTNER_INTERFACE=on), and name its public address with --from";
/** The one event that a subscriber can ask for. */
export const testEvent = "Test";
const pollMs = 1_000;
/** A poll reads what is new; one in so many also looks for new subscriptions, and for events that were queued late. */
const thoroughEvery = 10;

/** Where the service of an access file is. @throws FinalError where nothing says so */
export function originOf({ baseUrl }: Access, from: URL | undefined): URL {
  if (from !== undefined) return from;
  if (baseUrl !== undefined) return new URL(baseUrl);
  throw new FinalError("the access file has no baseUrl: name the service's address with --from");
}

/**
 * The events of a running service, read by its partner interface: deliveries to the caller's own subscriptions, each
 * signed by the service when forwarded. Nothing changes for the service.
 *
 * @throws Error with every mistake in the access file
 */
export function serviceEvents(options: ServiceEventsOptions, signal: AbortSignal): EventSource {
  const access = openAccess(options.access);
  const origin = originOf(access, options.from);
  const call = serviceCalls(access, new URL(path, origin), signal);
  const untaken = new Map<string, Untaken>();

  async function addSubscriptions(
    all: readonly SubscriptionSummary[],
    since: Date | undefined,
  ): Promise<void> {
    for (const { subscriptionId } of all) {
      if (untaken.has(subscriptionId)) continue;
      untaken.set(subscriptionId, await untakenOf(call, subscriptionId, since));
    }
  }
  let isFirst = true;
  return {
    noun: "the service",
    origin: origin.origin,
    hint: partnerHint,
    isElsewhere,
    async open() {
      const subscriptions = wanted(await ownSubscriptions(call), options.subscription);
      // A subscription that is new since the last time is new from its first event on.
      await addSubscriptions(subscriptions, isFirst ? options.since : new Date(0));
      isFirst = false;
      return streamOf(subscriptions, origin, follow());
    },
  };

  async function* follow(): AsyncGenerator<EventLine> {
    for (let polls = 1; !signal.aborted; polls += 1) {
      const isThorough = polls % thoroughEvery === 0;
      if (isThorough)
        await addSubscriptions(wanted(await ownSubscriptions(call), options.subscription), new Date(0));
      let isIdle = true;
      for (const subscription of untaken.values()) {
        for (const delivery of await subscription.list(isThorough)) {
          isIdle = false;
          const line = await notificationOf(call, delivery);
          if (line !== undefined) yield line;
          subscription.taken(delivery);
        }
      }
      if (isIdle) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** So answers a service on a path that it does not have (D-02). */
const isElsewhere = (error: FinalError): boolean =>
  error instanceof ServiceFault && error.code === "BAD_INPUT";

/**
 * Has a service send a test event to subscriptions of the caller. Gives a line for each.
 *
 * @throws Error with every mistake in the access file, and for whatever the service refuses
 */
export async function sendTestEvents(
  options: Omit<ServiceEventsOptions, "since">,
): Promise<readonly string[]> {
  const access = openAccess(options.access);
  const call = serviceCalls(access, new URL(path, originOf(access, options.from)));
  try {
    const subscriptions = wanted(await ownSubscriptions(call), options.subscription);
    if (subscriptions.length === 0)
      throw new Error("you have no subscription yet: make one with CreateSubscription");
    const lines: string[] = [];
    for (const { subscriptionId } of subscriptions) {
      const sent = await call("SendTestEvent", { subscriptionId });
      lines.push(`${testEvent} ${neededIn(sent, "deliveryId")}: to subscription ${subscriptionId}`);
    }
    return lines;
  } catch (error) {
    if (error instanceof FinalError && isElsewhere(error))
      throw new Error(`${error.message}: ${partnerHint}`, { cause: error });
    throw error;
  }
}

/** @throws FinalError for a subscription that is not the caller's */
function wanted(
  all: readonly SubscriptionSummary[],
  ids: readonly string[] | undefined,
): readonly SubscriptionSummary[] {
  if (ids === undefined) return all;
  const absent = ids.find((id) => all.every(({ subscriptionId }) => subscriptionId !== id));
  if (absent === undefined) return all.filter(({ subscriptionId }) => ids.includes(subscriptionId));
  const known = all.map(({ subscriptionId }) => subscriptionId).join(", ") || "none";
  throw new FinalError(`there is no subscription ${absent} of yours: there is ${known}`);
}

/** Undefined where the service does not keep it any more. */
async function notificationOf(
  call: CallService,
  { deliveryId, eventName }: DeliverySummary,
): Promise<EventLine | undefined> {
  try {
    const signed = await call("GetNotification", { deliveryId });
    return {
      name: eventName,
      headers: {
        "content-type": "application/json",
        "webhook-id": neededIn(signed, "webhookId"),
        "webhook-timestamp": neededIn(signed, "webhookTimestamp"),
        "webhook-signature": neededIn(signed, "webhookSignature"),
      },
      body: neededIn(signed, "body"),
    };
  } catch (error) {
    if (error instanceof ServiceFault && error.code === "NOT_FOUND_DELIVERY") return undefined;
    throw error;
  }
}

function streamOf(
  subscriptions: readonly SubscriptionSummary[],
  origin: URL,
  lines: AsyncIterable<EventLine>,
): EventStream {
  const count = subscriptions.length;
  const keys = new URL("/.well-known/jwks.json", origin).href;
  const none = "You have none yet: the events of one that you make are found within seconds";
  return omitUndefined({
    events:
      count === 0 ? undefined : [...new Set([...subscriptions.flatMap(({ events }) => events), testEvent])],
    owner: count === 1 ? "a subscription of yours" : `${count === 0 ? "the" : count} subscriptions of yours`,
    introduction: [
      `Signed with the secret of each subscription and with the keys of ${keys}`,
      ...(count === 0 ? [none] : []),
    ],
    lines,
  });
}
