import { omitUndefined } from "../../contract/index.ts";
import type {
  Clock,
  DeliveryRecord,
  EventRecord,
  IdSource,
  LaneEventRecord,
  Writes,
  SubscriptionTarget,
} from "../../store/ports/index.ts";
import type { ClaimTransactions } from "../model/claim-transactions.ts";
import type { DeliveryJob } from "../model/queues.ts";
import type { Lane, LaneRooms } from "./lane-rooms.ts";
import {
  createRecipientReader,
  type RecipientOptions,
  type RecipientReader,
  readSequences,
  type RoutedEvent,
  type SequenceCounter,
  type Sequences,
} from "./recipients.ts";
import {
  laneHeads,
  oldestEvents,
  eventsOfLane,
  events as eventsTable,
  deliveries,
  eventSequences,
  laneEventByKey,
  lastInLanes,
  laneEvents,
} from "../../store/tables/index.ts";
import { eventsOf, removeUnusedEvent } from "../model/stored-deliveries.ts";

/** Claims new deliveries while their queue has capacity. Made anew for each transaction. */
export interface ClaimCapacity {
  /** The claim and its end; undefined if the delivery stays in the store. */
  claim(subscription: SubscriptionTarget): Pick<DeliveryRecord, "claimedBy" | "dueAt"> | undefined;
}

export interface PublishOptions extends RecipientOptions {
  readonly transactions: ClaimTransactions<DeliveryJob>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly rooms: LaneRooms;
  claimCapacity(): ClaimCapacity;
}

export interface PublishedBatch {
  /** Deliveries claimed for this process. */
  readonly claimed: readonly DeliveryJob[];
  /** Subscriptions with further deliveries that are due. */
  readonly due: ReadonlySet<string>;
  /** Whether the outbox or a lane may hold more that can be delivered now. */
  readonly isMore: boolean;
}

/** Publishes events, a batch at a time. */
export interface Publisher {
  /**
   * Takes the oldest events from the outbox to the lanes of their subscribers. Inserts deliveries for the first
   * events of each lane, numbered by topic. Every lane gets an equal share of the batch; what exceeds it
   * is kept in the lane. One transaction: an event is in the outbox, in its lanes, or has its deliveries.
   */
  next(): Promise<PublishedBatch>;
}

/** What one transaction does, at most: other writers wait for it. */
export const batchMax = {
  /** Events taken from the outbox. */
  events: 256,
  /** Subscriptions looked at, and so deliveries inserted. */
  subscriptions: 256,
  /** Lanes worked on of those that hold events. */
  lanes: 32,
};

export function createPublisher(options: PublishOptions): Publisher {
  /** The lane after which the next batch goes on, and whether something is left in those before it. */
  let afterLane = "";
  let isMoreBefore = false;
  return {
    async next() {
      // Repeatable: a second run gives the same events the same numbers.
      const { lastLane, isMore, ...batch } = await options.transactions.transact(
        (tx) => publish(tx, options, afterLane),
        ({ claimed }) => claimed,
        { isRepeatable: true },
      );
      afterLane = lastLane;
      const isAnyLeft = isMore || isMoreBefore;
      isMoreBefore = lastLane !== "" && isAnyLeft;
      return { ...batch, isMore: lastLane !== "" || isAnyLeft };
    },
  };
}

interface PublishedLanes extends PublishedBatch {
  /** The last lane that was worked on, where others follow it; "" where none does. */
  readonly lastLane: string;
}

/** An event in a lane. */
interface LaneItem {
  readonly event: EventRecord;
  readonly after: string;
  /** Absent: the event has just been taken from the outbox. */
  readonly stored?: LaneEventRecord;
}

interface LaneWork extends Lane {
  readonly items: readonly LaneItem[];
  /** Whether the store holds events before those of `items`. */
  readonly isBehind: boolean;
}

async function publish(tx: Writes, options: PublishOptions, afterLane: string): Promise<PublishedLanes> {
  const heads = await tx.many(laneHeads, afterLane, batchMax.lanes);
  const publishedAt = options.clock.now();
  const taken = (await tx.take(oldestEvents, batchMax.events)).map((event) => ({ ...event, publishedAt }));
  const reader = createRecipientReader(tx, options);
  const fresh = await freshWork(tx, taken, heads.length > 0 || afterLane !== "", reader);
  const share = Math.max(1, Math.floor(batchMax.subscriptions / (heads.length + fresh.length)));
  const done = await Promise.all([
    ...fresh.map((work, index) =>
      work.isBehind || index >= batchMax.subscriptions
        ? untouched(work)
        : workOff(tx, work, share, reader, options),
    ),
    ...heads.map(async (head) => workOff(tx, await storedWork(tx, head, share), share, reader, options)),
  ]);
  return {
    ...(await store(tx, taken, done, options)),
    isMore: taken.length === batchMax.events || done.some(isWaiting),
    lastLane: heads.length === batchMax.lanes ? (heads.at(-1)?.lane ?? "") : "",
  };
}

/** The lanes of events from the outbox. Where events are stored, a lane may have some that come first. */
async function freshWork(
  tx: Writes,
  taken: readonly EventRecord[],
  mayBeStored: boolean,
  reader: RecipientReader,
): Promise<readonly LaneWork[]> {
  const byLane = new Map<string, { readonly institutionId: string; readonly items: LaneItem[] }>();
  for (const event of taken) {
    for (const lane of await reader.lanes(event)) {
      const { institutionId, items } = byLane.get(lane) ?? { institutionId: event.institutionId, items: [] };
      items.push({ event, after: "" });
      byLane.set(lane, { institutionId, items });
    }
  }
  return Promise.all(
    [...byLane].map(async ([lane, own]) => {
      const isBehind = mayBeStored && (await tx.many(eventsOfLane, lane, 1)).length > 0;
      return { lane, ...own, isBehind };
    }),
  );
}

/** The first events that a lane holds. */
async function storedWork(
  tx: Writes,
  { lane, institutionId }: LaneEventRecord,
  limit: number,
): Promise<LaneWork> {
  const stored = await tx.many(eventsOfLane, lane, limit);
  const eventOf = await eventsOf(
    tx,
    stored.map(({ eventId }) => eventId),
  );
  const items = stored.map((each): LaneItem => {
    return { event: eventOf(each.eventId), after: each.afterSubscriptionId ?? "", stored: each };
  });
  return { lane, institutionId, items, isBehind: stored.length === limit };
}

interface DoneInLane {
  readonly work: LaneWork;
  readonly routed: readonly RoutedEvent[];
  readonly finished: readonly LaneItem[];
  /** What is left of the items. The first may be done in part. */
  readonly rest: readonly LaneItem[];
  /** How many more deliveries the lane may have. */
  readonly room: number;
}

/** Whether the lane can go on at once. */
function isWaiting({ work, rest, room }: DoneInLane): boolean {
  return room > 0 && (rest.length > 0 || work.isBehind);
}

function untouched(work: LaneWork): DoneInLane {
  return { work, routed: [], finished: [], rest: work.items, room: 1 };
}

/** Finds the recipients of a lane's events, in order, until the lane has its share. */
async function workOff(
  tx: Writes,
  work: LaneWork,
  share: number,
  reader: RecipientReader,
  { rooms }: PublishOptions,
): Promise<DoneInLane> {
  const { lane, items } = work;
  let room = await rooms.of(tx, work);
  const rest = [...items];
  const finished: LaneItem[] = [];
  const routed: RoutedEvent[] = [];
  let looked = 0;
  for (let [item] = rest; item !== undefined; [item] = rest) {
    const limit = Math.min(share - looked, room);
    if (limit <= 0) break;
    const { event, after } = item;
    const part = await reader.read(event, { lane, after, limit });
    for (const recipient of part.recipients) routed.push({ event, ...recipient });
    room -= part.recipients.length;
    // An event without recipients takes time, too.
    looked += Math.max(part.looked, 1);
    rest.shift();
    if (part.next === undefined) finished.push(item);
    else rest.unshift({ ...item, after: part.next });
  }
  await rooms.added(tx, work, routed.length);
  return { work, routed, finished, rest, room };
}

/** Writes what was found: events, deliveries, the numbers that they were given, and what is left in the lanes. */
async function store(
  tx: Writes,
  taken: readonly EventRecord[],
  done: readonly DoneInLane[],
  options: PublishOptions,
): Promise<Pick<PublishedBatch, "claimed" | "due">> {
  const routedEvents = done.flatMap(({ routed }) => routed);
  const sequences = await readSequences(tx, routedEvents);
  const capacity = options.claimCapacity();
  const jobs = routedEvents.map((routed) => createJob(routed, sequences, capacity, options.ids.id()));
  const left = done.flatMap(({ work, rest }) => rest.map((item) => ({ ...item, lane: work.lane })));
  const fresh = left.filter(({ stored }) => stored === undefined);
  const kept = new Set([...routedEvents, ...fresh].map(({ event }) => event.id));

  await tx.insert(eventsTable, ...taken.filter(({ id }) => kept.has(id)));
  await tx.insert(deliveries, ...jobs.map(({ delivery }) => delivery));
  await tx.put(eventSequences, ...sequences.all);
  await insertLaneEvents(tx, fresh);
  for (const { stored, after } of left) {
    if (stored !== undefined && after !== (stored.afterSubscriptionId ?? ""))
      await tx.update(laneEventByKey, { afterSubscriptionId: after }, stored.eventId, stored.lane);
  }
  for (const { stored } of done.flatMap(({ finished }) => finished)) {
    if (stored === undefined) continue;
    await tx.remove(laneEventByKey, stored.eventId, stored.lane);
    await removeUnusedEvent(tx, stored.eventId);
  }
  const unclaimed = jobs.filter(
    ({ delivery }) => delivery.state === "PENDING" && delivery.claimedBy === undefined,
  );
  return {
    claimed: jobs.filter(({ delivery }) => delivery.claimedBy !== undefined),
    due: new Set(unclaimed.map(({ subscription }) => subscription.id)),
  };
}

async function insertLaneEvents(
  tx: Writes,
  items: readonly (LaneItem & { readonly lane: string })[],
): Promise<void> {
  if (items.length === 0) return;
  const last = (await tx.one(lastInLanes, 1))?.position ?? 0;
  await tx.insert(
    laneEvents,
    ...items.map(({ event, lane, after }, index) => ({
      eventId: event.id,
      lane,
      institutionId: event.institutionId,
      position: last + index + 1,
      ...omitUndefined({ afterSubscriptionId: after === "" ? undefined : after }),
      createdAt: event.createdAt,
    })),
  );
}

/** Numbers the event, and claims its delivery if the subscription has capacity. */
function createJob(
  routed: RoutedEvent,
  sequences: Sequences,
  capacity: ClaimCapacity,
  id: string,
): DeliveryJob {
  const { event, subscription, topics } = routed;
  const counter = sequences.next(routed);
  const state = initialState(subscription, counter);
  const delivery: DeliveryRecord = {
    id,
    institutionId: event.institutionId,
    subscriptionId: subscription.id,
    eventId: event.id,
    eventName: event.name,
    topics,
    sequence: counter.last,
    state,
    attempts: 0,
    failures: 0,
    dueAt: event.publishedAt,
    ...(state === "PENDING" ? capacity.claim(subscription) : undefined),
    ...(subscription.ordered ? { orderingKey: counter.topic } : undefined),
    createdAt: event.createdAt,
    generation: subscription.generation ?? 0,
  };
  return { delivery, event, subscription };
}

function initialState(
  { enabled, ordered }: SubscriptionTarget,
  counter: SequenceCounter,
): "PENDING" | "WAITING" | "HELD" {
  const { isBehind } = counter;
  counter.isBehind = ordered;
  if (!enabled) return "HELD";
  return isBehind ? "WAITING" : "PENDING";
}
