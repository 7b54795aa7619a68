import type { EventRecord, StoreTransaction } from "../../ports/index.ts";
import type { Recipient } from "./recipients.ts";

/** An event with one recipient. */
export interface RoutedEvent extends Recipient {
  readonly event: EventRecord;
}

/** The last number that one account's events were given in one subscription. */
export interface SequenceCounter {
  readonly subscriptionId: string;
  readonly accountNumber: string;
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

export async function readSequences(
  tx: StoreTransaction,
  routedEvents: readonly RoutedEvent[],
): Promise<Sequences> {
  const counters = new Map<string, SequenceCounter>();
  const bySubscription = Map.groupBy(routedEvents, ({ subscription }) => subscription.id);
  const readOne = async (id: string, own: readonly RoutedEvent[]): Promise<void> => {
    const numbers = [...new Set(own.map(sequencedNumber))];
    const sequences = await tx.eventSequences.ofNumbers(id, numbers);
    const lasts = new Map(sequences.map(({ accountNumber, last }) => [accountNumber, last]));
    const isOrdered = own[0]?.subscription.ordered === true;
    for (const accountNumber of numbers) {
      const before = isOrdered ? await tx.deliveries.firstInOrder(id, accountNumber) : undefined;
      counters.set(counterKey(id, accountNumber), {
        subscriptionId: id,
        accountNumber,
        last: lasts.get(accountNumber) ?? 0,
        isBehind: before !== undefined,
      });
    }
  };
  // At once: the statements travel together.
  await Promise.all([...bySubscription].map(([id, own]) => readOne(id, own)));

  return {
    next(routed) {
      const { subscription } = routed;
      const counter = counters.get(counterKey(subscription.id, sequencedNumber(routed)));
      if (counter === undefined) throw new Error(`subscription ${subscription.id} has no sequence counter`);
      counter.last += 1;
      return counter;
    },
    all: [...counters.values()],
  };
}

function counterKey(subscriptionId: string, accountNumber: string): string {
  return `${subscriptionId} ${accountNumber}`;
}

/** The account number that the sequence counts for: the first (D-41). */
function sequencedNumber({ accountNumbers: [number = ""] }: RoutedEvent): string {
  return number;
}
