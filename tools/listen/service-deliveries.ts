import { omitUndefined } from "../../conformance/omit-undefined.ts";
import { isJsonObject } from "../../conformance/values/index.ts";
import type { CallService } from "./service-calls.ts";

/** The members of a subscription that `listen` reads. */
export interface SubscriptionSummary {
  readonly subscriptionId: string;
  readonly events: readonly string[];
}

/** The members of a delivery that `listen` reads. */
export interface DeliverySummary {
  readonly deliveryId: string;
  readonly eventName: string;
  /** When the event happened. */
  readonly createdDate: string;
}

/** The deliveries of one subscription that were not taken yet. */
export interface Untaken {
  /** The oldest first. `isThorough` also finds what was queued later than newer events. */
  list(isThorough: boolean): Promise<readonly DeliverySummary[]>;
  taken(delivery: DeliverySummary): void;
}

const pageSize = 100;
/** Events are listed by when they happened: one may be queued this much later than a newer one and is found all the same. */
const overlapMs = 60_000;

/** All subscriptions of the caller, the oldest first. */
export async function ownSubscriptions(call: CallService): Promise<readonly SubscriptionSummary[]> {
  const all: SubscriptionSummary[] = [];
  for (let after: string | undefined; ;) {
    const page = await call("ListSubscriptions", omitUndefined({ pageSize, after }));
    all.push(...listIn(page, "subscriptions").map(subscriptionOf));
    after = textIn(page, "next");
    if (after === undefined) return all;
  }
}

/** The deliveries of a subscription from a time on; without one, those that are not there yet. */
export async function untakenOf(
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
export function neededIn(value: unknown, name: string): string {
  const text = textIn(value, name);
  if (text !== undefined) return text;
  throw new Error(`the service answers without ${name}: it is no partner interface of this version`);
}
