import type {
  EventTranslator,
  OutboxEventRecord,
  StoreView,
  SubscriptionAccountRecord,
  SubscriptionRecord,
} from "../../ports/index.ts";

/** A subscription that receives an event, and the `groupId` of its notification. */
export interface Recipient {
  readonly subscription: SubscriptionRecord;
  /** The first is the one that `sequence` counts for. Never empty. */
  readonly accountNumbers: readonly string[];
}

const newAccount = "Account.NEW";

/** The recipients of each event (D-40). What several events need is read once. */
export async function readRecipients(
  view: StoreView,
  events: readonly OutboxEventRecord[],
  translator?: EventTranslator,
): Promise<readonly (readonly Recipient[])[]> {
  const ofEvents = await readHolders(view, events);
  const subscriptions = new Map<string, SubscriptionRecord | undefined>();
  for (const { institutionId, subscriptionId } of ofEvents.flat()) {
    const key = keyOf(institutionId, subscriptionId);
    if (subscriptions.has(key)) continue;
    subscriptions.set(key, await view.subscriptions.find(institutionId, subscriptionId));
  }
  return events.map((event, index) => {
    const names = translator?.namesOf(event.name) ?? [event.name];
    const recipients: Recipient[] = [];
    for (const [subscriptionId, numbers] of groupBySubscription(ofEvents[index] ?? [])) {
      const subscription = subscriptions.get(keyOf(event.institutionId, subscriptionId));
      if (subscription?.events.some((name) => names.includes(name)) !== true) continue;
      recipients.push({ subscription, accountNumbers: numbersToShow(event, numbers) });
    }
    return recipients;
  });
}

/**
 * For each event, the subscriptions that hold one of its account numbers, the first number's first; then, for a new
 * account, the other subscriptions of its customer, each with one account.
 */
async function readHolders(
  view: StoreView,
  events: readonly OutboxEventRecord[],
): Promise<readonly (readonly SubscriptionAccountRecord[])[]> {
  const rows: SubscriptionAccountRecord[] = [];
  for (const [institutionId, ofInstitution] of Map.groupBy(events, (event) => event.institutionId)) {
    const numbers = new Set(ofInstitution.flatMap(({ accountNumbers }) => accountNumbers));
    rows.push(...(await view.subscriptionAccounts.ofNumbers(institutionId, [...numbers])));
  }
  const byNumber = Map.groupBy(rows, (row) => keyOf(row.institutionId, row.accountNumber));
  const holders: (readonly SubscriptionAccountRecord[])[] = [];
  for (const event of events) {
    const { institutionId, customerId } = event;
    const subscribed = event.accountNumbers.flatMap(
      (number) => byNumber.get(keyOf(institutionId, number)) ?? [],
    );
    if (isForCustomer(event)) {
      for (const row of await view.subscriptionAccounts.ofCustomer(institutionId, customerId)) {
        if (!subscribed.some(({ subscriptionId }) => subscriptionId === row.subscriptionId))
          subscribed.push(row);
      }
    }
    holders.push(subscribed);
  }
  return holders;
}

/** Whether the event goes to every subscription with an account of the customer. */
function isForCustomer({ name }: OutboxEventRecord): boolean {
  return name === newAccount;
}

/** Numbers by subscription, each once. */
function groupBySubscription(
  holders: readonly SubscriptionAccountRecord[],
): Iterable<readonly [subscriptionId: string, numbers: readonly string[]]> {
  const [only] = holders;
  if (only !== undefined && holders.length === 1) return [[only.subscriptionId, [only.accountNumber]]];
  const held = new Map<string, readonly string[]>();
  for (const { subscriptionId, accountNumber } of holders) {
    const before = held.get(subscriptionId) ?? [];
    if (!before.includes(accountNumber)) held.set(subscriptionId, [...before, accountNumber]);
  }
  return held;
}

/** `groupId` holds the numbers of the subscription; that of a new account is added, since its payload states it. */
function numbersToShow(
  { name, accountNumbers: [number] }: OutboxEventRecord,
  held: readonly string[],
): readonly string[] {
  return name !== newAccount || number === undefined || held.includes(number) ? held : [...held, number];
}

function keyOf(institutionId: string, name: string): string {
  return `${institutionId} ${name}`;
}
