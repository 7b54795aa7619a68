import { omitUndefined } from "../../contract/index.ts";
import type {
  Audience,
  OutboxEventRecord,
  Recipients,
  Reads,
  SubscriptionTopicRecord,
  SubscriptionTarget,
  EventRecord,
  Writes,
} from "../../store/ports/index.ts";
import type { EventTranslator } from "../../pipeline/event-translator.ts";
import { lanesOfAudience, subscribersInLane } from "../model/stored-deliveries.ts";
import { targetsById, sequencesOfTopics, firstInOrder } from "../../store/tables/index.ts";

/** A subscription that receives an event, and the `groupId` of its notification. */
export interface Recipient {
  readonly subscription: SubscriptionTarget;
  /** The first is the one that `sequence` counts for. Never empty. */
  readonly topics: readonly string[];
}

/** Some recipients of an event in one lane, by subscription. */
export interface RecipientPart {
  readonly recipients: readonly Recipient[];
  /** How many subscriptions were looked at: some want no event of this name. */
  readonly looked: number;
  /** The last subscription that was looked at; absent: no more follow. */
  readonly next?: string;
}

/** An event goes to the subscribers of its topics, unless the application says otherwise. */
const toTopics: Recipients = ({ topics }) =>
  Promise.resolve(topics.map((value) => ({ kind: "topic", value })));

/** Finds recipients within one transaction. Events of one topic ask the store once. */
export interface RecipientReader {
  /** The lanes of all recipients of an event, by name. */
  lanes(event: OutboxEventRecord): Promise<ReadonlySet<string>>;
  /**
   * The recipients of an event in a lane that follow a subscription by identifier; "" precedes all. Looks at no more than
   * `limit` subscriptions, whatever topics they have.
   */
  read(
    event: OutboxEventRecord,
    place: { readonly lane: string; readonly after: string; readonly limit: number },
  ): Promise<RecipientPart>;
}

/** Subscriptions that are looked at for one event before others have their turn. */
const pageSize = 64;

const lanesOfEventMax = 1_000_000;

export interface RecipientOptions {
  readonly recipients?: Recipients;
  readonly translator?: EventTranslator;
}

export function createRecipientReader(
  view: Reads,
  { recipients: audienceOf = toTopics, translator }: RecipientOptions,
): RecipientReader {
  const audiences = new Map<string, Promise<readonly Audience[]>>();
  const lanes = new Map<string, Promise<readonly string[]>>();
  const pages = new Map<string, Promise<readonly SubscriptionTopicRecord[]>>();
  const targetsOf = createTargetReader(view);

  function audiencesOf(event: OutboxEventRecord): Promise<readonly Audience[]> {
    const { id, institutionId } = event;
    return once(audiences, id, async () =>
      (await audienceOf(event, view)).map(({ kind, value }) => ({ institutionId, kind, value })),
    );
  }
  function lanesOf(audience: Audience): Promise<readonly string[]> {
    return once(lanes, JSON.stringify(audience), () => lanesOfAudience(view, audience, lanesOfEventMax));
  }
  function pageOf(audience: Audience, lane: string, after: string, limit: number) {
    return once(pages, JSON.stringify([audience, lane, after, limit]), () =>
      subscribersInLane(view, audience, lane, after, limit),
    );
  }

  return {
    async lanes(event) {
      const found = await Promise.all((await audiencesOf(event)).map(lanesOf));
      return new Set(found.flat());
    },
    async read(event, { lane, after, limit: asked }) {
      const limit = Math.min(asked, pageSize);
      const asking = await audiencesOf(event);
      const found = await Promise.all(asking.map((audience) => pageOf(audience, lane, after, limit)));
      // A full page says nothing of what follows its last subscription.
      const ends = found.flatMap((page) =>
        page.length === limit ? [page.at(-1)?.subscriptionId ?? ""] : [],
      );
      const [end] = ends.toSorted(compare);
      const held = topicsBySubscription(event, asking, found);
      const complete = [...held.keys()].toSorted(compare).filter((id) => end === undefined || id <= end);
      const ids = complete.slice(0, limit);
      const names = translator?.namesOf(event.name) ?? [event.name];
      const recipients = (await targetsOf(event.institutionId, ids)).flatMap(
        (subscription): readonly Recipient[] =>
          subscription?.events.some((name) => names.includes(name)) === true
            ? [{ subscription, topics: held.get(subscription.id) ?? [] }]
            : [],
      );
      const isMore = end !== undefined || complete.length > ids.length;
      return { recipients, looked: ids.length, ...omitUndefined({ next: isMore ? ids.at(-1) : undefined }) };
    },
  };
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/**
 * Reads subscriptions by identifier; undefined for an unknown one. Asks for those that are not known yet with one
 * question.
 */
function createTargetReader(
  view: Reads,
): (institutionId: string, ids: readonly string[]) => Promise<readonly (SubscriptionTarget | undefined)[]> {
  const targets = new Map<string, Promise<SubscriptionTarget | undefined>>();
  return (institutionId, ids) => {
    const missing = ids.filter((id) => !targets.has(id));
    if (missing.length > 0) {
      const found = view.many(targetsById, institutionId, missing);
      for (const id of missing)
        targets.set(
          id,
          found.then((all) => all.find((target) => target.id === id)),
        );
    }
    return Promise.all(ids.map((id) => targets.get(id)));
  };
}

/**
 * The topics of each subscription, those of the event first. A subscriber of the group gets the topic that it subscribed to.
 * Where an event goes to a group, everyone also gets its first topic, which the payload is about.
 */
function topicsBySubscription(
  { topics: [first] }: OutboxEventRecord,
  audiences: readonly Audience[],
  pages: readonly (readonly SubscriptionTopicRecord[])[],
): ReadonlyMap<string, readonly string[]> {
  const held = new Map<string, readonly string[]>();
  for (const [index, page] of pages.entries()) {
    const isOfGroup = audiences[index]?.kind === "group";
    for (const { subscriptionId, topic } of page) {
      const before = held.get(subscriptionId) ?? [];
      if (before.includes(topic) || (isOfGroup && before.length > 0)) continue;
      held.set(subscriptionId, [...before, topic]);
    }
  }
  if (first === undefined || audiences.every(({ kind }) => kind === "topic")) return held;
  return new Map([...held].map(([id, own]) => [id, own.includes(first) ? own : [...own, first]]));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An event with one recipient. */
export interface RoutedEvent extends Recipient {
  readonly event: EventRecord;
}

/** The last number that one topic's events were given in one subscription. */
export interface SequenceCounter {
  readonly subscriptionId: string;
  readonly topic: string;
  last: number;
  /** Whether an earlier event is still open: in an ordered subscription the next one waits for it. */
  isBehind: boolean;
}

/** The counters that some events need, read once for the batch. */
export interface Sequences {
  /** Numbers the event: the counter with `last` raised by one. */
  next(routed: RoutedEvent): SequenceCounter;
  readonly all: readonly SequenceCounter[];
}

export async function readSequences(tx: Writes, routedEvents: readonly RoutedEvent[]): Promise<Sequences> {
  const counters = new Map<string, SequenceCounter>();
  const bySubscription = Map.groupBy(routedEvents, ({ subscription }) => subscription.id);
  const readOne = async (id: string, own: readonly RoutedEvent[]): Promise<void> => {
    const topics = [...new Set(own.map(sequencedTopic))];
    const sequences = await tx.many(sequencesOfTopics, id, topics);
    const lasts = new Map(sequences.map(({ topic, last }) => [topic, last]));
    const isOrdered = own[0]?.subscription.ordered === true;
    for (const topic of topics) {
      const before = isOrdered ? await tx.one(firstInOrder, id, topic, 1) : undefined;
      counters.set(counterKey(id, topic), {
        subscriptionId: id,
        topic,
        last: lasts.get(topic) ?? 0,
        isBehind: before !== undefined,
      });
    }
  };
  // At once: the statements travel together.
  await Promise.all([...bySubscription].map(([id, own]) => readOne(id, own)));

  return {
    next(routed) {
      const { subscription } = routed;
      const counter = counters.get(counterKey(subscription.id, sequencedTopic(routed)));
      if (counter === undefined) throw new Error(`subscription ${subscription.id} has no sequence counter`);
      counter.last += 1;
      return counter;
    },
    all: [...counters.values()],
  };
}

function counterKey(subscriptionId: string, topic: string): string {
  return `${subscriptionId} ${topic}`;
}

/** The topic that the sequence counts for: the first. */
function sequencedTopic({ topics: [topic = ""] }: RoutedEvent): string {
  return topic;
}
