import { omitUndefined } from "../../contract/index.ts";
import { timestampText } from "../../contract/times.ts";
import { checkCallbackAddress } from "../../events/callback-address.ts";
import { cancelAll, cancelMissed, releasePart, resume, retryAll, testEventName } from "../../events/index.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type { IdSource, Sealer, SubscriptionRecord, Writes } from "../../store/ports/index.ts";
import {
  countedOfSubscription,
  deliveries,
  endpointHealth,
  events as eventsTable,
  healthOfSubscription,
  sequencesOfSubscription,
  subscriptionById,
  subscriptionIdsOfUser,
  subscriptionTopics,
  subscriptions,
  subscriptionsByIds,
  topicsOfGroup,
  topicsOfSubscription,
} from "../../store/tables/index.ts";
import { idOf, idToken, optionalTimestamp, pageToken, type Failing, type PageErrors } from "./pages.ts";

const standardOverlapSeconds = 24 * 60 * 60;

/** Cancels what a subscription still waits for, and removes it. */
export async function endSubscription(
  { store, clock, events }: Pick<WriteContext, "store" | "clock" | "events">,
  subscription: SubscriptionRecord,
) {
  await cancelAll(store, [subscription], "DELETED", clock.now());
  await removeSubscription(store, subscription.institutionId, subscription.id);
  events.wake();
  return { subscriptionId: subscription.id };
}

/**
 * Gives a subscription a new secret, which its user has not been shown. The former one signs beside it for the overlap, a
 * day if absent; one before that ends at once.
 */
export async function rotateSecret(
  { store, clock, events, ids, sealer }: Pick<WriteContext, "store" | "clock" | "events" | "ids" | "sealer">,
  stored: SubscriptionRecord,
  overlapSeconds = standardOverlapSeconds,
  secretShownAt?: number,
): Promise<SubscriptionRecord> {
  const { secretShownAt: _former, ...rest } = stored;
  const rotated = {
    ...rest,
    ...omitUndefined({ secretShownAt }),
    secretSealed: sealer.seal(newWebhookSecret(ids)),
    formerSecretSealed: stored.secretSealed,
    formerSecretUntil: clock.now() + overlapSeconds * 1000,
    updatedAt: clock.now(),
  };
  await store.replace(subscriptions, rotated, stored);
  events.wake();
  return rotated;
}

/** A new subscription, as its caller asks for it. */
export interface SubscriptionDraft {
  readonly name: string;
  readonly callbackUrl: string;
  /** Names of events. */
  readonly events: readonly string[];
  /** Topics whose events are wanted. */
  readonly topics: readonly string[];
  readonly remarks?: string;
}

/**
 * Subscribes an address to events. `groupsOf` gives the group of each topic that has one, and may refuse topics.
 * Throws BAD_INPUT for an address that is not taken, CONFLICT for a user who has as many as are allowed.
 */
export async function subscribe(
  context: Pick<
    WriteContext,
    "caller" | "clock" | "ids" | "policy" | "sealer" | "store" | "subscribersRevision"
  > &
    Failing<"BAD_INPUT", "/callbackUrl"> &
    Failing<"CONFLICT">,
  { name, callbackUrl, events, topics, remarks }: SubscriptionDraft,
  groupsOf: () => Promise<ReadonlyMap<string, string>> = () => Promise.resolve(new Map()),
): Promise<SubscriptionRecord> {
  const { caller, clock, ids, sealer, store, subscribersRevision } = context;
  const { institutionId, userName } = caller;
  requirePublicAddress(context, callbackUrl);
  const groups = await groupsOf();
  await requireRoomForSubscription(context, institutionId, userName);
  const groupId = [...new Set(topics)];
  const subscription: SubscriptionRecord = {
    id: ids.id(),
    institutionId,
    userName,
    name,
    callbackUrl,
    events: [...new Set(events)],
    groupId,
    ...omitUndefined({ remarks, revision: subscribersRevision }),
    secretSealed: sealer.seal(newWebhookSecret(ids)),
    enabled: true,
    ordered: false,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  const of = { institutionId, subscriptionId: subscription.id, lane: userName };
  await store.insert(subscriptions, subscription);
  await store.insert(
    subscriptionTopics,
    ...groupId.map((topic) => ({ ...of, topic, ...omitUndefined({ group: groups.get(topic) }) })),
  );
  return subscription;
}

/** Throws BAD_INPUT for an address that notifications may not be posted to. */
export function requirePublicAddress(
  { policy, error }: Pick<WriteContext, "policy"> & Failing<"BAD_INPUT", "/callbackUrl">,
  callbackUrl: string,
): void {
  const address = checkCallbackAddress(callbackUrl, policy);
  if (!address.ok) throw error("BAD_INPUT", { field: "/callbackUrl", reason: address.fault });
}

/** With its topics, sequences and health. Its deliveries stay: they are the log of what was sent. */
export async function removeSubscription(tx: Writes, institutionId: string, id: string): Promise<void> {
  await tx.remove(topicsOfSubscription, institutionId, id);
  await tx.remove(sequencesOfSubscription, id);
  await tx.remove(healthOfSubscription, id);
  await tx.remove(subscriptionById, institutionId, id);
}

/** Records what was sent to, or told of, a subscription that stays as it is. */
export async function auditSubscription(
  { audit }: Pick<WriteContext, "audit">,
  subscriptionId: string,
  told: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const changes = Object.entries(told).map(([field, to]) => ({ field, ...omitUndefined({ to }) }));
  await audit.record({ subjectType: "subscription", subjectId: subscriptionId, changes });
}

/** Throws CONFLICT where the user may have no further subscription. */
export async function requireRoomForSubscription(
  { policy, store, error }: Pick<WriteContext, "policy" | "store"> & Failing<"CONFLICT">,
  institutionId: string,
  userName: string,
): Promise<void> {
  const limit = policy.subscriptionsPerUserMax;
  if ((await store.count(subscriptionIdsOfUser, institutionId, userName)) < limit) return;
  throw error("CONFLICT", { reason: "too-many-subscriptions", data: { limit } });
}

/** Bytes of the HMAC secret: Standard Webhooks takes 24 to 64. */
const secretBytes = 32;

/** A secret for signing notifications, in the form of Standard Webhooks. */
export function newWebhookSecret(ids: IdSource): string {
  return `whsec_${Buffer.from(ids.bytes(secretBytes)).toString("base64")}`;
}

/** Queues a test event as `queueTestEvent` does; throws CONFLICT where the user's last credential was revoked. */
export function sendTest(
  context: WriteContext & Failing<"CONFLICT", "/subscriptionId">,
  subscription: SubscriptionRecord,
  source: string,
) {
  if (subscription.disabledReason === "REVOKED" && !subscription.enabled)
    throw context.error("CONFLICT", { field: "/subscriptionId", reason: "credential-revoked" });
  return queueTestEvent(context, subscription, source);
}

/** Queues a notification that announces nothing. `source` names the interface that asked for it. */
export async function queueTestEvent(
  { store, clock, ids, events, audit }: Pick<WriteContext, "store" | "clock" | "ids" | "events" | "audit">,
  subscription: SubscriptionRecord,
  source: string,
): Promise<{ readonly deliveryId: string; readonly eventId: string }> {
  const [eventId, deliveryId, nowMs] = [ids.id(), ids.id(), clock.now()];
  const { institutionId, id: subscriptionId, generation = 0 } = subscription;
  const event = {
    id: eventId,
    institutionId,
    name: testEventName,
    source,
    topics: [],
    payloadJson: JSON.stringify({ message: "This is a test. Nothing has happened." }),
    createdAt: nowMs,
    publishedAt: nowMs,
  };
  const delivery = {
    id: deliveryId,
    institutionId,
    subscriptionId,
    eventId,
    eventName: testEventName,
    topics: [],
    sequence: 0,
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
    generation,
  } as const;
  await store.insert(eventsTable, event);
  await store.insert(deliveries, delivery);
  await auditSubscription({ audit }, subscriptionId, { testEvent: deliveryId });
  events.wake();
  return { deliveryId, eventId };
}

/** The outcome of the events that a subscription has missed. */
export interface MissedEvents {
  /** How many are on their way now. */
  readonly resumed: number;
  /** How many will not be sent. */
  readonly cancelled: number;
}

/**
 * Stores what a subscription has become. What is due while it is not enabled is held. What waits for another attempt
 * goes to a new address at once. When the subscription is enabled again, held deliveries and dead letters since its
 * address began to fail are sent if `resumes`. Otherwise held deliveries are cancelled.
 */
export async function changeSubscription(
  { store, clock, events }: Pick<WriteContext, "store" | "clock" | "events">,
  stored: SubscriptionRecord,
  subscription: SubscriptionRecord,
  resumes: boolean,
): Promise<MissedEvents> {
  const isEnabledAgain = subscription.enabled && !stored.enabled;
  const isAnew = isEnabledAgain && !resumes;
  const changed = isAnew ? { ...subscription, generation: (stored.generation ?? 0) + 1 } : subscription;
  await store.replace(subscriptions, changed, stored);
  const failingSince = (await store.one(healthOfSubscription, stored.id))?.failingSince;
  const isMoved = subscription.callbackUrl !== stored.callbackUrl;
  if (isEnabledAgain || isMoved) await startAfresh(store, stored.id);
  if (isMoved && subscription.enabled) await retryAll(store, stored.id, clock.now());
  if (stored.ordered && !subscription.ordered) {
    const { institutionId, id: subscriptionId } = stored;
    await releasePart(store, { institutionId, subscriptionId }, "WAITING", clock.now());
  }
  const isResumed = isEnabledAgain && resumes;
  const resumed = isResumed ? await resume(store, subscription, failingSince, clock.now()) : 0;
  const cancelled = isAnew ? await cancelMissed(store, changed, clock.now()) : 0;
  events.wake();
  return { resumed, cancelled };
}

/** Forgets failures, reviews and pauses of the former endpoint. */
async function startAfresh(store: Writes, subscriptionId: string): Promise<void> {
  const health = await store.one(healthOfSubscription, subscriptionId);
  if (health === undefined) return;
  const { failingSince: _since, reviewAt: _review, pausedUntil: _paused, ...rest } = health;
  await store.put(endpointHealth, rest);
}

/** A subscription as operators and its user see it, with how its deliveries go. */
export async function subscriptionOf(
  subscription: SubscriptionRecord,
  context: Pick<ReadContext, "store" | "clock">,
) {
  const { enabled, disabledReason } = subscription;
  return {
    subscriptionId: subscription.id,
    userName: subscription.userName,
    name: subscription.name,
    callbackUrl: subscription.callbackUrl,
    events: subscription.events,
    groupId: subscription.groupId,
    ...omitUndefined({
      remarks: subscription.remarks,
      disabledReason: enabled ? undefined : (disabledReason ?? ("SUBSCRIBER" as const)),
      disabledDate: optionalTimestamp(subscription.disabledAt),
    }),
    enabled,
    ordered: subscription.ordered,
    createdDate: timestampText(subscription.createdAt),
    updatedDate: timestampText(subscription.updatedAt),
    statistics: await statisticsOf(subscription.id, context),
  };
}

/** How the deliveries of a subscription go. Counts end at 10,000. */
async function statisticsOf(subscriptionId: string, { store, clock }: Pick<ReadContext, "store" | "clock">) {
  const health = await store.one(healthOfSubscription, subscriptionId);
  const isPaused = (health?.pausedUntil ?? 0) > clock.now();
  return {
    delivered: health?.delivered ?? 0,
    failedAttempts: health?.failedAttempts ?? 0,
    deadLetters: health?.deadLetters ?? 0,
    pending: await store.count(countedOfSubscription, "PENDING", subscriptionId, 0),
    waiting: await store.count(countedOfSubscription, "WAITING", subscriptionId, 0),
    held: await store.count(countedOfSubscription, "HELD", subscriptionId, 0),
    ...omitUndefined({
      lastDeliveredDate: optionalTimestamp(health?.lastDeliveredAt),
      lastFailedDate: optionalTimestamp(health?.lastFailedAt),
      lastFailure: health?.lastFailure,
      failingSince: optionalTimestamp(health?.failingSince),
      pausedUntil: isPaused ? optionalTimestamp(health?.pausedUntil) : undefined,
    }),
  };
}

/** Waiting deliveries that one page counts, about: a call is never long. */
const countedMax = 100_000;

/** Shows a page of subscriptions. It ends early where too much waits for them: `next` goes on. */
export async function shownPage<Shown extends { readonly statistics: Waits }>(
  found: readonly SubscriptionRecord[],
  next: string | undefined,
  show: (subscription: SubscriptionRecord) => Promise<Shown>,
  tokenOf: (last: SubscriptionRecord) => string = pageToken,
): Promise<{ readonly subscriptions: readonly Shown[]; readonly next?: string }> {
  const subscriptions: Shown[] = [];
  let counted = 0;
  for (const each of found) {
    const shown = await show(each);
    subscriptions.push(shown);
    const { pending, waiting, held } = shown.statistics;
    counted += pending + waiting + held;
    if (counted >= countedMax && each !== found.at(-1)) return { subscriptions, next: tokenOf(each) };
  }
  return { subscriptions, ...omitUndefined({ next }) };
}

/** How many deliveries wait for something. */
export interface Waits {
  readonly pending: number;
  readonly waiting: number;
  readonly held: number;
}

/** Its secrets, opened. The former one is shown as long as it signs. */
export function subscriptionSecretOf(
  { id, secretSealed, formerSecretSealed, formerSecretUntil = 0 }: SubscriptionRecord,
  sealer: Sealer,
  nowMs: number,
) {
  const former = formerSecretUntil > nowMs ? formerSecretSealed : undefined;
  return {
    subscriptionId: id,
    secret: sealer.open(secretSealed),
    ...omitUndefined({
      formerSecret: former === undefined ? undefined : sealer.open(former),
      formerSecretUntil: former === undefined ? undefined : timestampText(formerSecretUntil),
    }),
  };
}

/** Its newest secret alone: the former one was shown while it was the newest. */
export function newestSecretOf(...subscription: Parameters<typeof subscriptionSecretOf>) {
  const { formerSecret: _shownBefore, ...secret } = subscriptionSecretOf(...subscription);
  return secret;
}

/** Topics that one call looks at: a subscription has up to 1,000. */
const topicsLookedAtMax = 2_000;

/**
 * A page of the subscriptions to topics of a group, by lane and identifier. It may hold fewer than asked for, although
 * there are more: `next` says so.
 */
export async function subscriptionsOfGroup(
  context: Pick<ReadContext, "store" | "caller"> & PageErrors,
  group: string,
  { pageSize, after }: { readonly pageSize: number; readonly after: string | undefined },
) {
  const { store, caller } = context;
  const { institutionId } = caller;
  const [, lane = "", former = ""] = /^(.*) (\S+)$/.exec(idOf(context, after) ?? "") ?? [];
  const place = [institutionId, group, lane, former, lastTopic] as const;
  const topics = await store.many(topicsOfGroup, ...place, topicsLookedAtMax);
  const lanes = new Map(topics.map(({ subscriptionId, lane: of }) => [subscriptionId, of]));
  const ids = [...lanes.keys()].slice(0, pageSize);
  const found = await store.many(subscriptionsByIds, institutionId, ids);
  const last = ids.at(-1);
  const tokenOf = ({ id }: Pick<SubscriptionRecord, "id">) => idToken(`${lanes.get(id) ?? ""} ${id}`);
  const hasMore = lanes.size > ids.length || topics.length === topicsLookedAtMax;
  return {
    items: found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
    next: hasMore && last !== undefined ? tokenOf({ id: last }) : undefined,
    tokenOf,
  };
}

/** Behind every topic of a subscription. */
const lastTopic = "\u{10ffff}";
