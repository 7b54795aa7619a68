import type { Caller } from "../../auth/auth-services.ts";
import type {
  DeliveryRecord,
  OutboxMailRecord,
  Reads,
  SubscriptionRecord,
  UserRecord,
} from "../../store/ports/index.ts";
import {
  deliveryById,
  deviceKeyById,
  mailOfInstitution,
  ownersOfKeys,
  subscriptionById,
  userByName,
} from "../../store/tables/index.ts";

interface Context {
  readonly store: Reads;
  readonly caller: Caller;
}

/** What an application says of who sees what. */
export interface VisibilityRules {
  /** The interface whose users do not see each other: the operators'. */
  readonly operators: string;
  /** The group of a mail's recipient who is no user; absent where there is no such recipient. */
  groupOfRecipient(view: Reads, institutionId: string, recipientId: string): Promise<string | undefined>;
}

/** The records that the caller of a context may see. */
export type Visible = (context: Context) => ReturnType<typeof visibleRecords>;

/**
 * Lookups within the caller's institution and, where the credential is bound to groups, among theirs. Records outside get
 * the same answer as missing ones.
 */
export function visibleRecords({ store, caller }: Context, rules: VisibilityRules) {
  const { institutionId } = caller;
  /** Visible where the user sees no more groups than the caller does; another operator is not. */
  const user = async (userName: string) => {
    const found = await store.one(userByName, userName);
    return found !== undefined && seesUser(caller, found, rules.operators) ? found : undefined;
  };
  /** Visible where its user is. */
  const subscription = async (id: string) => {
    const found = await store.one(subscriptionById, institutionId, id);
    return found !== undefined && (await user(found.userName)) !== undefined ? found : undefined;
  };
  const seesRecipient = async ({ userName, recipientId }: OutboxMailRecord): Promise<boolean> => {
    if (userName !== undefined) return (await user(userName)) !== undefined;
    if (recipientId === undefined) return false;
    const group = await rules.groupOfRecipient(store, institutionId, recipientId);
    return group !== undefined && seesGroup(caller, group);
  };
  /** Those of the institution's mails that are visible. */
  const mailsOf = async (found: readonly OutboxMailRecord[]) => {
    if (caller.groups === undefined) return found;
    const isSeen = await Promise.all(found.map(seesRecipient));
    return found.filter((_mail, index) => isSeen[index]);
  };
  return {
    user,
    subscription,
    mailsOf,
    /** Visible where its recipient is; one without, to callers who see all groups. */
    async mail(id: string) {
      const found = await store.one(mailOfInstitution, institutionId, id);
      return found === undefined ? undefined : (await mailsOf([found]))[0];
    },
    /** Visible where its subscription is; that of a deleted subscription, to callers who see all groups. */
    async delivery(id: string) {
      const found = await store.one(deliveryById, institutionId, id);
      if (found === undefined || caller.groups === undefined) return found;
      return (await subscription(found.subscriptionId)) === undefined ? undefined : found;
    },
    /** Those of the institution's subscriptions that are visible. */
    async subscriptionsOf(found: readonly SubscriptionRecord[]) {
      return caller.groups === undefined ? found : filterBy(found, ({ userName }) => userName, user);
    },
    /** Those of the institution's deliveries that are visible. */
    async deliveriesOf(found: readonly DeliveryRecord[]) {
      if (caller.groups === undefined) return found;
      return filterBy(found, ({ subscriptionId }) => subscriptionId, subscription);
    },
    /** Visible where its user is. */
    async deviceKey(keyId: string) {
      const key = await store.one(deviceKeyById, keyId);
      return key !== undefined && (await user(key.userName)) !== undefined ? key : undefined;
    },
    /** The identifiers that are of signing keys whose user is visible. */
    async knownKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await store.many(ownersOfKeys, keyIds);
      return new Set((await filterBy(found, ({ userName }) => userName, user)).map(({ keyId }) => keyId));
    },
  };
}

/** The records whose owner is found. Looks up each owner once. */
async function filterBy<R>(
  records: readonly R[],
  ownerOf: (record: R) => string,
  find: (owner: string) => Promise<object | undefined>,
): Promise<readonly R[]> {
  const visible = new Set<string>();
  for (const owner of new Set(records.map(ownerOf))) {
    if ((await find(owner)) !== undefined) visible.add(owner);
  }
  return records.filter((record) => visible.has(ownerOf(record)));
}

/** Whether the caller may see the records of a group. */
export function seesGroup({ groups }: Pick<Caller, "groups">, group: string): boolean {
  return groups === undefined || groups.includes(group);
}

/**
 * Whether the caller may see a user: one of the institution who sees no more groups than the caller does. Each
 * operator sees only itself: local commands manage operators.
 */
export function seesUser(caller: Caller, user: UserRecord, operators: string): boolean {
  if (user.institutionId !== caller.institutionId) return false;
  if (user.realm === operators && user.userName !== caller.userName) return false;
  if (caller.groups === undefined) return true;
  const seenIds = new Set(caller.groups);
  return user.groups?.every((id) => seenIds.has(id)) === true;
}

/** A subscription of the caller's own; another user's is not found. */
export async function ownSubscription(
  { store, caller }: Context,
  id: string,
): Promise<SubscriptionRecord | undefined> {
  const found = await store.one(subscriptionById, caller.institutionId, id);
  return found?.userName === caller.userName ? found : undefined;
}

/** A delivery to a subscription of the caller's own, with that subscription. */
export async function ownDelivery(
  context: Context,
  id: string,
): Promise<{ readonly delivery: DeliveryRecord; readonly subscription: SubscriptionRecord } | undefined> {
  const delivery = await context.store.one(deliveryById, context.caller.institutionId, id);
  const subscription = await ownSubscription(context, delivery?.subscriptionId ?? "");
  return delivery && subscription && { delivery, subscription };
}
