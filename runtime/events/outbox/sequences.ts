import type { EventRecord, Writes } from "../../store/ports/index.ts";
import type { Recipient } from "./recipients.ts";
import { sequencesOfTopics, firstInOrder } from "../../store/tables/index.ts";

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

/** The topic that the sequence counts for: the first (D-41). */
function sequencedTopic({ topics: [topic = ""] }: RoutedEvent): string {
  return topic;
}
