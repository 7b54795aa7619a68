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

const newAccount = "Account.NEW";

/** Who each of some events goes to (D-40). Whatever several of them need is looked up once. */
export async function readRecipients(
  view: StoreView,
  events: readonly OutboxEventRecord[],
  words?: EventWords,
): Promise<readonly (readonly Recipient[])[]> {
  const holders = await readHolders(view, events);
  const subscriptions = await lookedUp(
    holders.flatMap(({ numbers, customer }) => [...numbers.flat(), ...customer]),
    ({ institutionId, subscriptionId }) => keyOf(institutionId, subscriptionId),
    ({ institutionId, subscriptionId }) => view.subscriptions.find(institutionId, subscriptionId),
  );
  return events.map((event, index) => {
    const names = words?.namesOf(event.name) ?? [event.name];
    const recipients: Recipient[] = [];
    for (const [subscriptionId, numbers] of heldBy(holders[index])) {
      const subscription = subscriptions.get(keyOf(event.institutionId, subscriptionId));
      if (subscription?.events.some((name) => names.includes(name)) !== true) continue;
      recipients.push({ subscription, accountNumbers: shownNumbers(event, numbers) });
    }
    return recipients;
  });
}

/** Subscribers of an event: of each of its account numbers, and of its customer where that matters. */
interface Holders {
  readonly numbers: readonly (readonly SubscriptionAccountRecord[])[];
  readonly customer: readonly SubscriptionAccountRecord[];
}

async function readHolders(
  view: StoreView,
  events: readonly OutboxEventRecord[],
): Promise<readonly Holders[]> {
  const { ofNumber, ofCustomer } = view.subscriptionAccounts;
  const byNumber = await lookedUp(
    events.flatMap(({ institutionId, accountNumbers }) =>
      accountNumbers.map((number) => ({ institutionId, number })),
    ),
    ({ institutionId, number }) => keyOf(institutionId, number),
    ({ institutionId, number }) => ofNumber(institutionId, number),
  );
  const byCustomer = await lookedUp(
    events.filter(concernsCustomer),
    ({ institutionId, customerId }) => keyOf(institutionId, customerId),
    ({ institutionId, customerId }) => ofCustomer(institutionId, customerId),
  );
  return events.map((event) => {
    const { institutionId, accountNumbers, customerId } = event;
    return {
      numbers: accountNumbers.map((number) => byNumber.get(keyOf(institutionId, number)) ?? []),
      customer: concernsCustomer(event) ? (byCustomer.get(keyOf(institutionId, customerId)) ?? []) : [],
    };
  });
}

/** Whether it goes to whoever holds any account of the customer. */
function concernsCustomer({ name }: OutboxEventRecord): boolean {
  return name === newAccount;
}

/** Numbers by subscription: those of the event that it holds, the event's first one first. */
function heldBy(holders: Holders | undefined): ReadonlyMap<string, readonly string[]> {
  const held = new Map<string, readonly string[]>();
  const add = ({ subscriptionId, accountNumber }: SubscriptionAccountRecord): void => {
    const before = held.get(subscriptionId) ?? [];
    if (!before.includes(accountNumber)) held.set(subscriptionId, [...before, accountNumber]);
  };
  for (const row of holders?.numbers.flat() ?? []) add(row);
  for (const row of holders?.customer ?? []) if (!held.has(row.subscriptionId)) add(row);
  return held;
}

/** Who is told of a new account knows its number from the payload; other numbers of an event are nobody else's business. */
function shownNumbers(
  { name, accountNumbers: [number] }: OutboxEventRecord,
  held: readonly string[],
): readonly string[] {
  return name !== newAccount || number === undefined || held.includes(number) ? held : [...held, number];
}

/** What was found for each key, looked up once. */
async function lookedUp<Item, Found>(
  items: readonly Item[],
  key: (item: Item) => string,
  find: (item: Item) => Promise<Found>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const item of new Map(items.map((each) => [key(each), each])).values()) {
    found.set(key(item), await find(item));
  }
  return found;
}

function keyOf(institutionId: string, name: string): string {
  return `${institutionId} ${name}`;
}
