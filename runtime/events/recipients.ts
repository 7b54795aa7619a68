import type { EventWords } from "../pipeline/index.ts";
import type {
  OutboxEventRecord,
  StoreView,
  SubscriptionAccountRecord,
  SubscriptionRecord,
} from "../ports/index.ts";

/** A subscription that an event goes to, and what its notification says in `groupId`. */
export interface Recipient {
  readonly subscription: SubscriptionRecord;
  /** The first is the one that `sequence` counts for. Never empty. */
  readonly accountNumbers: readonly string[];
}

/** Who an event goes to (D-40). Remembers what it looked up, so it lasts for one transaction. */
export interface Recipients {
  of(event: OutboxEventRecord): Promise<readonly Recipient[]>;
}

const newAccount = "Account.NEW";

export function createRecipients(view: StoreView, words?: EventWords): Recipients {
  const byNumber = remembered((institutionId, number) =>
    view.subscriptionAccounts.ofNumber(institutionId, number),
  );
  const byCustomer = remembered((institutionId, customerId) =>
    view.subscriptionAccounts.ofCustomer(institutionId, customerId),
  );
  const subscriptionOf = remembered((institutionId, id) => view.subscriptions.find(institutionId, id));

  /** Numbers by subscription: those of the event that it holds, the event's first one first. */
  async function holdersOf(event: OutboxEventRecord): Promise<ReadonlyMap<string, readonly string[]>> {
    const held = new Map<string, readonly string[]>();
    const add = ({ subscriptionId, accountNumber }: SubscriptionAccountRecord): void => {
      const before = held.get(subscriptionId) ?? [];
      if (!before.includes(accountNumber)) held.set(subscriptionId, [...before, accountNumber]);
    };
    for (const number of event.accountNumbers) {
      for (const row of await byNumber(event.institutionId, number)) add(row);
    }
    if (event.name === newAccount) {
      for (const row of await byCustomer(event.institutionId, event.customerId)) {
        if (!held.has(row.subscriptionId)) add(row);
      }
    }
    return held;
  }

  return {
    async of(event) {
      const recipients: Recipient[] = [];
      const names = words?.namesOf(event.name) ?? [event.name];
      for (const [subscriptionId, numbers] of await holdersOf(event)) {
        const subscription = await subscriptionOf(event.institutionId, subscriptionId);
        if (subscription?.events.some((name) => names.includes(name)) !== true) continue;
        recipients.push({ subscription, accountNumbers: shownNumbers(event, numbers) });
      }
      return recipients;
    },
  };
}

/** Who is told of a new account knows its number from the payload; other numbers of an event are nobody else's business. */
function shownNumbers(
  { name, accountNumbers: [number] }: OutboxEventRecord,
  held: readonly string[],
): readonly string[] {
  return name !== newAccount || number === undefined || held.includes(number) ? held : [...held, number];
}

function remembered<T>(find: (first: string, second: string) => Promise<T>) {
  const found = new Map<string, Promise<T>>();
  return (first: string, second: string): Promise<T> => {
    const key = `${first} ${second}`;
    const known = found.get(key) ?? find(first, second);
    found.set(key, known);
    return known;
  };
}
