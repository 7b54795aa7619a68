import { omitUndefined } from "../../contract/index.ts";
import type {
  EventTranslator,
  OutboxEventRecord,
  StoreView,
  SubscriptionAccountRecord,
  SubscriptionTarget,
  Topic,
} from "../../ports/index.ts";

/** A subscription that receives an event, and the `groupId` of its notification. */
export interface Recipient {
  readonly subscription: SubscriptionTarget;
  /** The first is the one that `sequence` counts for. Never empty. */
  readonly accountNumbers: readonly string[];
}

/** Some recipients of an event in one lane, by subscription. */
export interface RecipientPart {
  readonly recipients: readonly Recipient[];
  /** How many subscriptions were looked at: some want no event of this name. */
  readonly looked: number;
  /** The last subscription that was looked at; absent: no more follow. */
  readonly next?: string;
}

const newAccount = "Account.NEW";

/** What subscribers of an event have subscribed to: its accounts, and for a new one its customer (D-40). */
export function topicsOf({
  institutionId,
  name,
  accountNumbers,
  customerId,
}: OutboxEventRecord): readonly Topic[] {
  const numbers = accountNumbers.map((value) => ({ institutionId, field: "number", value }) as const);
  return name === newAccount
    ? [...numbers, { institutionId, field: "customer", value: customerId }]
    : numbers;
}

/** Finds recipients within one transaction. Events of one account ask the store once. */
export interface RecipientReader {
  /**
   * The recipients of an event in a lane that follow a subscription by identifier; "" precedes all. Looks at no more than
   * `limit` subscriptions, whatever accounts they have.
   */
  read(
    event: OutboxEventRecord,
    place: { readonly lane: string; readonly after: string; readonly limit: number },
  ): Promise<RecipientPart>;
}

/** Subscriptions that are looked at for one event before others have their turn. */
const pageSize = 64;

export function createRecipientReader(view: StoreView, translator?: EventTranslator): RecipientReader {
  const targets = new Map<string, Promise<SubscriptionTarget | undefined>>();
  const known = new Map<string, Promise<readonly SubscriptionAccountRecord[]>>();

  function pageOf(topic: Topic, lane: string, after: string, limit: number) {
    const key = JSON.stringify([topic, lane, after, limit]);
    const page = known.get(key) ?? view.subscriptionAccounts.inLane(topic, lane, after, limit);
    known.set(key, page);
    return page;
  }
  /** Asks for those that are not known yet with one question. */
  function targetsOf(institutionId: string, ids: readonly string[]) {
    const missing = ids.filter((id) => !targets.has(id));
    if (missing.length > 0) {
      const found = view.subscriptionTargets.find(institutionId, missing);
      for (const id of missing)
        targets.set(
          id,
          found.then((all) => all.find((target) => target.id === id)),
        );
    }
    return Promise.all(ids.map((id) => targets.get(id)));
  }

  return {
    async read(event, { lane, after, limit: asked }) {
      const limit = Math.min(asked, pageSize);
      const pages = await Promise.all(topicsOf(event).map((topic) => pageOf(topic, lane, after, limit)));
      // A full page says nothing of what follows its last subscription.
      const ends = pages.flatMap((page) =>
        page.length === limit ? [page.at(-1)?.subscriptionId ?? ""] : [],
      );
      const [end] = ends.toSorted(compare);
      const held = numbersBySubscription(event, pages);
      const complete = [...held.keys()].toSorted(compare).filter((id) => end === undefined || id <= end);
      const ids = complete.slice(0, limit);
      const names = translator?.namesOf(event.name) ?? [event.name];
      const recipients = (await targetsOf(event.institutionId, ids)).flatMap(
        (subscription): readonly Recipient[] =>
          subscription?.events.some((name) => names.includes(name)) === true
            ? [{ subscription, accountNumbers: held.get(subscription.id) ?? [] }]
            : [],
      );
      const isMore = end !== undefined || complete.length > ids.length;
      return { recipients, looked: ids.length, ...omitUndefined({ next: isMore ? ids.at(-1) : undefined }) };
    },
  };
}

/**
 * The account numbers of each subscription, those of the event first. A subscriber to another account of the customer
 * gets the number of that account, and then the number of the new one, which the payload states.
 */
function numbersBySubscription(
  { name, accountNumbers: [number] }: OutboxEventRecord,
  pages: readonly (readonly SubscriptionAccountRecord[])[],
): ReadonlyMap<string, readonly string[]> {
  const held = new Map<string, readonly string[]>();
  for (const [index, page] of pages.entries()) {
    const isOfCustomer = name === newAccount && index === pages.length - 1;
    for (const { subscriptionId, accountNumber } of page) {
      const before = held.get(subscriptionId) ?? [];
      if (before.includes(accountNumber) || (isOfCustomer && before.length > 0)) continue;
      held.set(subscriptionId, [...before, accountNumber]);
    }
  }
  if (name !== newAccount || number === undefined) return held;
  return new Map(
    [...held].map(([id, numbers]) => [id, numbers.includes(number) ? numbers : [...numbers, number]]),
  );
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
