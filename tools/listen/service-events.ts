import { setTimeout as sleep } from "node:timers/promises";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { openAccess, type Access } from "../../conformance/request/access.ts";
import type { EventLine } from "../mock/index.ts";
import { FinalError, type EventSource, type EventStream } from "./event-source.ts";
import { isJsonObject } from "../../conformance/values/index.ts";
import { randomUUID } from "node:crypto";
import { exchange } from "../call/exchange.ts";
import { envelopeText, signedMembers, signedMessage } from "../protocols/signed/request.ts";

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

/** The members of a subscription that `listen` reads. */
interface SubscriptionSummary {
  readonly subscriptionId: string;
  readonly events: readonly string[];
}

/** The members of a delivery that `listen` reads. */
interface DeliverySummary {
  readonly deliveryId: string;
  readonly eventName: string;
  /** When the event happened. */
  readonly createdDate: string;
}

/** The deliveries of one subscription that were not taken yet. */
interface Untaken {
  /** The oldest first. `isThorough` also finds what was queued later than newer events. */
  list(isThorough: boolean): Promise<readonly DeliverySummary[]>;
  taken(delivery: DeliverySummary): void;
}

const pageSize = 100;
/** Events are listed by when they happened: one may be queued this much later than a newer one and is found all the same. */
const overlapMs = 60_000;

/** All subscriptions of the caller, the oldest first. */
async function ownSubscriptions(call: CallService): Promise<readonly SubscriptionSummary[]> {
  const all: SubscriptionSummary[] = [];
  for (let after: string | undefined; ;) {
    const page = await call("ListSubscriptions", omitUndefined({ pageSize, after }));
    all.push(...listIn(page, "subscriptions").map(subscriptionOf));
    after = textIn(page, "next");
    if (after === undefined) return all;
  }
}

/** The deliveries of a subscription from a time on; without one, those that are not there yet. */
async function untakenOf(
  call: CallService,
  subscriptionId: string,
  since: Date | undefined,
): Promise<Untaken> {
  let from = since?.toISOString();
  let newestMs = since?.getTime() ?? 0;
  const taken = new Map<string, number>();

  async function page(after: string | undefined, size = pageSize) {
    const range = omitUndefined({ from, after });
    const answer = await call("ListDeliveries", { subscriptionId, pageSize: size, ...range });
    return { deliveries: listIn(answer, "deliveries").map(deliveryOf), next: textIn(answer, "next") };
  }
  const untaken: Untaken = {
    async list(isThorough) {
      const found: DeliverySummary[] = [];
      for (let after: string | undefined; ;) {
        const { deliveries, next } = await page(after);
        const fresh = deliveries.filter(({ deliveryId }) => !taken.has(deliveryId));
        found.push(...fresh);
        after = next;
        if (after === undefined || (fresh.length === 0 && !isThorough)) return found.toReversed();
      }
    },
    taken({ deliveryId, createdDate }) {
      const createdMs = Date.parse(createdDate);
      taken.set(deliveryId, createdMs);
      if (createdMs <= newestMs) return;
      newestMs = createdMs;
      if (since !== undefined && newestMs - overlapMs < since.getTime()) return;
      from = new Date(newestMs - overlapMs).toISOString();
      for (const [id, ms] of taken) if (ms < newestMs - overlapMs) taken.delete(id);
    },
  };
  if (since !== undefined) return untaken;
  for (const newest of (await page(undefined, 1)).deliveries) untaken.taken(newest);
  if (from !== undefined) for (const each of await untaken.list(true)) untaken.taken(each);
  return untaken;
}

function subscriptionOf(value: unknown): SubscriptionSummary {
  const events = listIn(value, "events").map(String);
  return { subscriptionId: neededIn(value, "subscriptionId"), events };
}

function deliveryOf(value: unknown): DeliverySummary {
  return {
    deliveryId: neededIn(value, "deliveryId"),
    eventName: neededIn(value, "eventName"),
    createdDate: neededIn(value, "createdDate"),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  if (Array.isArray(list)) return list;
  throw new Error(`the service answers without ${name}: it is no partner interface of this version`);
}

function textIn(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === "string" ? text : undefined;
}

/** A text that has to be there. */
function neededIn(value: unknown, name: string): string {
  const text = textIn(value, name);
  if (text !== undefined) return text;
  throw new Error(`the service answers without ${name}: it is no partner interface of this version`);
}

/** Calls a method of a service's signed interface and returns its result. @throws FinalError for an error of the caller */
type CallService = (method: string, payload: object) => Promise<unknown>;

/** An error that the service answered. */
class ServiceFault extends FinalError {
  readonly code: string;

  constructor(method: string, code: string, message: string) {
    super(`${method}: ${code}: ${message}`);
    this.code = code;
  }
}

/** Errors that are over after some time. */
const passing: ReadonlySet<string> = new Set(["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"]);
const timeoutSeconds = 30;

function serviceCalls(access: Access, url: URL, signal?: AbortSignal): CallService {
  return async (method, payload) => {
    const call = { id: randomUUID(), method, payload: JSON.stringify(payload), members: signedMembers };
    const request = { headers: {}, body: envelopeText(call, access) };
    const sent = {
      url: url.href,
      ...signedMessage(request, url.href, access),
      timeoutSeconds,
      isNotification: false,
      addressOption: "--from",
    };
    const outcome = await exchange({ ...sent, ...omitUndefined({ signal }) });
    if (outcome.kind === "result") return JSON.parse(outcome.text);
    if (outcome.kind !== "error") throw new Error("reason" in outcome ? outcome.reason : "no answer");
    const { code, message } = outcome;
    if (passing.has(code)) throw new Error(`${method}: ${code}: ${message}`);
    throw new ServiceFault(method, code, message);
  };
}
