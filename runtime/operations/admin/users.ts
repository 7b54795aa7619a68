import { createHash } from "node:crypto";
import { readPublicKey } from "../../auth/signing/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import { parseTimestamp, timestampText } from "../../contract/times.ts";
import { cancelAll } from "../../events/index.ts";
import { subscriptionIdsOf } from "../../events/model/stored-deliveries.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type {
  ApiKeyRecord,
  Clock,
  DeviceKeyRecord,
  Reads,
  UserRecord,
  Writes,
} from "../../store/ports/index.ts";
import {
  apiKeys,
  apiKeysOfUser,
  countLiveKeys,
  deviceKeys,
  invitationOfUser,
  invitations,
  signingKeysMax,
  signingKeysOfUser,
  subscriptionsByIds,
  targetsById,
  userByName,
  users,
  usersAfter,
} from "../../store/tables/index.ts";
import {
  idOf,
  idToken,
  optionalTimestamp,
  pageOf,
  standardPageSize,
  type Failing,
  type PageErrors,
} from "./pages.ts";
import { seesUser, type Visible } from "./visible.ts";

export interface OneUser {
  readonly userName: string;
}

type MissesUser = Failing<"NOT_FOUND_CREDENTIAL", "/userName">;

const standardOverlapSeconds = 24 * 60 * 60;

/** Users with their API keys and signing keys, as far as the caller sees them. */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers that find by the same rules
export const userHandlers = <Shown>(visible: Visible, shown: (user: UserRecord) => Shown) => {
  async function found({ userName }: OneUser, context: ReadContext & MissesUser): Promise<UserRecord> {
    const user = await visible(context).user(userName);
    if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
    return user;
  }

  return {
    /** A user with its API keys and signing keys, without the keys themselves. */
    async getUser(asked: OneUser, context: ReadContext & MissesUser) {
      const user = await found(asked, context);
      return { user: shown(user), ...(await shownKeys(context, user.userName)) };
    },

    /** A new API key. The former one stays valid for the overlap; a user never has more than two. */
    async rotateCredential(
      asked: OneUser & { readonly overlapSeconds?: number; readonly expiresAt?: string },
      context: WriteContext & MissesUser & Failing<"BAD_INPUT", "/expiresAt">,
    ) {
      const { userName } = await found(asked, context);
      const expiresAt = expiryField(context, asked.expiresAt, "/expiresAt");
      const overlapMs = (asked.overlapSeconds ?? standardOverlapSeconds) * 1000;
      const { issued, formerExpiresAt } = await replaceApiKey(context, userName, { overlapMs, expiresAt });
      context.invalidateCaller(userName);
      return { ...issued, ...omitUndefined({ formerExpireAt: optionalTimestamp(formerExpiresAt) }) };
    },

    /** Revokes one API key of a user, or all and an invitation. With the last one the user's subscriptions are disabled. */
    async revokeCredential(
      asked: OneUser & { readonly apiKeyId?: string },
      context: WriteContext & Failing<"NOT_FOUND_CREDENTIAL", "/userName" | "/apiKeyId">,
    ) {
      const { store, clock } = context;
      const { apiKeyId } = asked;
      const user = await found(asked, context);
      const all = await apiKeysOfUser(store, user.userName);
      const revoked = all.filter(({ id }) => apiKeyId === undefined || apiKeyId === id);
      if (apiKeyId !== undefined && revoked.length === 0)
        throw context.error("NOT_FOUND_CREDENTIAL", { field: "/apiKeyId" });
      for (const apiKey of revoked) {
        if (apiKey.revokedAt === undefined)
          await store.replace(apiKeys, { ...apiKey, revokedAt: clock.now() }, apiKey);
      }
      if (apiKeyId === undefined) await endInvitation(context, user.userName);
      if (!(await hasValidCredential(context, user.userName))) await endSubscriptions(context, user);
      context.invalidateCaller(user.userName);
      return { userName: user.userName, revokedApiKeyIds: revoked.map(({ id }) => id) };
    },

    /** Registers a public key, without one-time password. It is active at once. */
    async registerKey(
      asked: OneUser & { readonly PublicKey: string },
      context: WriteContext & MissesUser & Failing<"BAD_INPUT" | "CONFLICT", "/userName" | "/PublicKey">,
    ) {
      const { store, clock, ids } = context;
      if (readPublicKey(asked.PublicKey) === undefined)
        throw context.error("BAD_INPUT", { field: "/PublicKey" });
      const { userName } = await found(asked, context);
      await requireRoomForKey(context, userName);
      const keyId = ids.id();
      const key = { keyId, userName, publicKeyPem: asked.PublicKey, status: "ACTIVE" } as const;
      await store.insert(deviceKeys, { ...key, createdAt: clock.now() });
      context.invalidateCaller(userName);
      return { KeyId: keyId, userName, status: "ACTIVE" as const };
    },

    /** Revokes a signing key at once. Revoking a revoked one succeeds and changes nothing. */
    async revokeKey(
      { KeyId }: { readonly KeyId: string },
      context: WriteContext & Failing<"NOT_FOUND_KEY", "/KeyId">,
    ) {
      const key = await visible(context).deviceKey(KeyId);
      if (key === undefined) throw context.error("NOT_FOUND_KEY", { field: "/KeyId" });
      const { keyId, userName, status } = key;
      const revoked = { ...key, status: "REVOKED", revokedAt: context.clock.now() } as const;
      if (status !== "REVOKED") await context.store.replace(deviceKeys, revoked, key);
      context.invalidateCaller(userName);
      return { KeyId: keyId, userName, status: "REVOKED" as const };
    },
  };
};

/** A user as operators see it: without one-time passwords. */
export function userSummary({ userName, realm, email, scopes, groups, createdAt }: UserRecord) {
  return {
    userName,
    interface: realm,
    ...omitUndefined({ email: email === "" ? undefined : email }),
    scopes,
    ...omitUndefined({ groups }),
    createdDate: timestampText(createdAt),
  };
}

/** The interface that a request names, or else the first. Throws BAD_INPUT for one whose users operators do not add. */
export function realmOf(
  { policy, error }: Pick<ReadContext, "policy"> & Failing<"BAD_INPUT", "/interface">,
  asked?: string,
): string {
  const { interfaces } = policy;
  const realm = asked === undefined ? interfaces[0] : interfaces.find((name) => name === asked);
  if (realm !== undefined) return realm;
  throw error("BAD_INPUT", { field: "/interface", reason: "unknown-interface" });
}

/** Users that one call looks at, whether they fit or not, and groups of them: a call is never long. */
const lookedAtMax = 1_000;
const groupsLookedAtMax = 20_000;
const lookedAtOnce = 100;

/**
 * A page of users by name. Those of a group are looked for among all: the page may be short, and `next` goes on.
 * `operators` names the interface whose users see only themselves.
 */
export async function usersPage(
  context: Pick<ReadContext, "store" | "caller"> & PageErrors,
  operators: string,
  {
    realm,
    group,
    pageSize = standardPageSize,
    after,
  }: {
    readonly realm: string;
    readonly group?: string | undefined;
    readonly pageSize?: number | undefined;
    readonly after?: string | undefined;
  },
): Promise<{ readonly users: readonly UserRecord[]; readonly next: string | undefined }> {
  const { store, caller } = context;
  const start = idOf(context, after) ?? "";
  const from = (place: string, limit: number): Promise<readonly UserRecord[]> =>
    store.many(usersAfter, caller.institutionId, realm, place, limit);
  const { fitting, last } =
    group === undefined
      ? { fitting: await from(start, pageSize + 1), last: undefined }
      : await usersOfGroup(from, start, group, pageSize);
  const { items, next } = pageOf(fitting, pageSize, ({ userName }) => idToken(userName));
  return {
    users: items.filter((user) => seesUser(caller, user, operators)),
    next: next ?? (last && idToken(last.userName)),
  };
}

/** One user more than a page, if so many are found among those that one call looks at. `last` is where it stopped before the end. */
async function usersOfGroup(
  from: (place: string, limit: number) => Promise<readonly UserRecord[]>,
  start: string,
  group: string,
  pageSize: number,
): Promise<{ readonly fitting: readonly UserRecord[]; readonly last: UserRecord | undefined }> {
  const fitting: UserRecord[] = [];
  let last: UserRecord | undefined;
  let [lookedAt, groupsLookedAt] = [0, 0];
  while (lookedAt < lookedAtMax && groupsLookedAt < groupsLookedAtMax && fitting.length <= pageSize) {
    const part = await from(last?.userName ?? start, lookedAtOnce);
    fitting.push(...part.filter(({ groups }) => groups?.includes(group)));
    if (part.length < lookedAtOnce) return { fitting, last: undefined };
    last = part.at(-1);
    lookedAt += part.length;
    for (const { groups = [] } of part) groupsLookedAt += groups.length;
  }
  return { fitting, last };
}

/** A user to be added by an operator. */
export interface UserDraft {
  /** Without the prefix of the institution. */
  readonly userName: string;
  /** Where mails for the user go; none do if absent. */
  readonly email?: string;
  readonly scopes?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

/** Adds a user of the operator's institution, without a key, and gives its whole name. Throws CONFLICT for a taken one. */
export async function newUser(
  {
    caller,
    clock,
    store,
    error,
  }: Pick<WriteContext, "caller" | "clock" | "store"> & Failing<"CONFLICT", "/userName">,
  { scopes = ["*"], email = "", ...asked }: UserDraft,
  realm: string,
): Promise<string> {
  const userName = `${userNamePrefix(caller.institutionId)}${asked.userName}`;
  if ((await store.one(userByName, userName)) !== undefined)
    throw error("CONFLICT", { field: "/userName", reason: "taken" });
  await store.insert(users, {
    userName,
    institutionId: caller.institutionId,
    realm,
    email,
    scopes,
    // An operator bound to groups adds no user that sees more than its own.
    ...omitUndefined({ groups: asked.groups ?? caller.groups }),
    otpFailures: 0,
    createdAt: clock.now(),
  });
  return userName;
}

/** The link that the user was sent is of no use from now on. The record stays: its audit entries are one chain. */
async function endInvitation(
  { store, clock }: Pick<WriteContext, "store" | "clock">,
  userName: string,
): Promise<void> {
  const invitation = await store.one(invitationOfUser, userName);
  const nowMs = clock.now();
  if (invitation !== undefined && invitation.usedAt === undefined && invitation.expiresAt > nowMs)
    await store.replace(invitations, { ...invitation, expiresAt: nowMs }, invitation);
}

/** Throws CONFLICT where the user may have no further signing key. */
export async function requireRoomForKey(
  { store, error }: { readonly store: Reads } & Failing<"CONFLICT", "/userName">,
  userName: string,
): Promise<void> {
  if ((await countLiveKeys(store, userName)) < signingKeysMax) return;
  throw error("CONFLICT", { field: "/userName", reason: "too-many-keys", data: { limit: signingKeysMax } });
}

/** Reads a time at which something is to expire. One that has passed already is refused. */
export function expiryField<FieldPointer extends string>(
  context: Failing<"BAD_INPUT", NoInfer<FieldPointer>> & { readonly clock: Clock },
  text: string | undefined,
  field: FieldPointer,
): number | undefined {
  if (text === undefined) return undefined;
  const expiresAt = parseTimestamp(text);
  if (expiresAt === undefined || expiresAt <= context.clock.now())
    throw context.error("BAD_INPUT", { field, reason: "past" });
  return expiresAt;
}

/** A user's API keys and signing keys, the oldest first, as they are shown: without the keys themselves. */
export async function shownKeys(
  { store, clock, keyUses }: Pick<ReadContext, "store" | "clock" | "keyUses">,
  userName: string,
  activeOnly = false,
) {
  const apiKeys = await apiKeysOfUser(store, userName);
  const keys = await signingKeysOfUser(store, userName);
  const keyIds = [...apiKeys.map(({ id }) => id), ...keys.map(({ keyId }) => keyId)];
  const lastUses = await keyUses.of(store, userName, keyIds);
  return {
    apiKeys: apiKeys
      .filter((key) => !activeOnly || isValidApiKey(key, clock.now()))
      .map((key) => apiKeySummary(key, lastUses)),
    keys: keys
      .filter(({ status }) => !activeOnly || status === "ACTIVE")
      .map((key) => signingKeySummary(key, lastUses)),
  };
}

const keyBytes = 16;

/** An API key as its owner is given it. */
export interface IssuedApiKey {
  readonly userName: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
  /** `Basic`, a space, and the base64 of user name and key. */
  readonly credential: string;
  readonly expiresAt?: string;
}

/** A new API key: the stored record, and the key itself, which is sent to its owner once. */
export interface NewApiKey {
  readonly record: ApiKeyRecord;
  readonly issued: IssuedApiKey;
}

/** Draws an API key of 128 random bits, in hex. Only its SHA-256 is kept. */
export function newApiKey(
  { ids, clock }: Pick<WriteContext, "ids" | "clock">,
  userName: string,
  expiresAt: number | undefined,
): NewApiKey {
  const id = ids.id();
  const apiKey = Buffer.from(ids.bytes(keyBytes)).toString("hex");
  const hash = createHash("sha256").update(apiKey).digest("hex");
  return {
    record: { id, userName, hash, createdAt: clock.now(), ...omitUndefined({ expiresAt }) },
    issued: {
      userName,
      apiKeyId: id,
      apiKey,
      credential: `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`,
      ...omitUndefined({
        expiresAt: expiresAt === undefined ? undefined : timestampText(expiresAt),
      }),
    },
  };
}

/**
 * Gives a user a new API key. The former one stays valid for the overlap, or until it expires by itself; older ones end
 * now. `formerExpiresAt` is absent where the user had no valid key.
 */
export async function replaceApiKey(
  { store, ...parts }: Pick<WriteContext, "ids" | "clock"> & { readonly store: Writes },
  userName: string,
  { overlapMs, expiresAt }: { readonly overlapMs: number; readonly expiresAt: number | undefined },
): Promise<NewApiKey & { readonly formerExpiresAt?: number }> {
  const nowMs = parts.clock.now();
  const valid = (await apiKeysOfUser(store, userName)).filter((apiKey) => isValidApiKey(apiKey, nowMs));
  const [former, ...older] = valid.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const formerExpiresAt = former && Math.min(former.expiresAt ?? Infinity, nowMs + overlapMs);
  if (former !== undefined)
    await store.replace(apiKeys, { ...former, ...omitUndefined({ expiresAt: formerExpiresAt }) }, former);
  for (const apiKey of older) await store.replace(apiKeys, { ...apiKey, revokedAt: nowMs }, apiKey);
  const apiKey = newApiKey(parts, userName, expiresAt);
  await store.insert(apiKeys, apiKey.record);
  return { ...apiKey, ...omitUndefined({ formerExpiresAt }) };
}

/** Whether an API key is neither revoked nor expired. */
export function isValidApiKey(apiKey: ApiKeyRecord, nowMs: number): boolean {
  return apiKey.revokedAt === undefined && (apiKey.expiresAt ?? Infinity) > nowMs;
}

/** Whether a user has an API key that is neither revoked nor expired. */
export async function hasValidCredential(
  { store, clock }: { readonly store: Reads; readonly clock: Pick<Clock, "now"> },
  userName: string,
): Promise<boolean> {
  const apiKeys = await apiKeysOfUser(store, userName);
  return apiKeys.some((apiKey) => isValidApiKey(apiKey, clock.now()));
}

/**
 * Disables the subscriptions of a user whose last credential was revoked, all in one statement: the shorter its
 * transaction is, the fewer others it meets. Nothing that they were to be sent is sent any more; what is being
 * sent at this moment may still arrive.
 */
export async function endSubscriptions(
  {
    store,
    clock,
    events,
  }: Pick<WriteContext, "store" | "clock"> & { readonly events: Pick<WriteContext["events"], "wake"> },
  { institutionId, userName }: UserRecord,
): Promise<void> {
  const ids = await subscriptionIdsOf(store, institutionId, userName);
  if (ids.length === 0) return;
  const targets = await store.many(targetsById, institutionId, ids);
  const notYet = targets.filter(({ disabledReason }) => disabledReason !== "REVOKED");
  const nowMs = clock.now();
  const changedIds = new Set(notYet.map(({ id }) => id));
  const generation = notYet.reduce((last, target) => Math.max(last, target.generation ?? 0), 0) + 1;
  const revoked = { enabled: false, disabledReason: "REVOKED", disabledAt: nowMs, updatedAt: nowMs } as const;
  if (changedIds.size > 0)
    await store.update(subscriptionsByIds, { ...revoked, generation }, institutionId, [...changedIds]);
  events.wake();
  const subscriptions = targets.map((each) => (changedIds.has(each.id) ? { ...each, generation } : each));
  await cancelAll(store, subscriptions, "REVOKED", nowMs);
}

/** An identifier that can begin a user name as it is. It has no dot, so that the first one of a name ends the prefix. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,22}$/;

/**
 * What the names of an institution's users begin with: its identifier and a dot, at most 24 characters. Identifiers that
 * are longer or have other characters stand as a hash, so that no two institutions have the same.
 */
export function userNamePrefix(institutionId: string): string {
  if (plain.test(institutionId)) return `${institutionId}.`;
  return `${createHash("sha256").update(institutionId).digest("hex").slice(0, 23)}.`;
}

/** An API key without its hash. */
export function apiKeySummary({ id, createdAt, expiresAt, revokedAt }: ApiKeyRecord, lastUses: LastUses) {
  return {
    apiKeyId: id,
    createdDate: timestampText(createdAt),
    ...omitUndefined({
      expiresAt: optionalTimestamp(expiresAt),
      revokedDate: optionalTimestamp(revokedAt),
      lastUsedDate: optionalTimestamp(lastUses.get(id)),
    }),
  };
}

export function signingKeySummary(
  {
    keyId,
    status,
    createdAt,
    revokedAt,
  }: Pick<DeviceKeyRecord, "keyId" | "status" | "createdAt" | "revokedAt">,
  lastUses: LastUses,
) {
  return {
    KeyId: keyId,
    status,
    createdDate: timestampText(createdAt),
    ...omitUndefined({
      revokedDate: optionalTimestamp(revokedAt),
      lastUsedDate: optionalTimestamp(lastUses.get(keyId)),
    }),
  };
}

/** When keys were last used, by identifier. */
type LastUses = ReadonlyMap<string, number>;
