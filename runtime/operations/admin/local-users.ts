import { auditedBySystem } from "../../store/audit/index.ts";
import { isValidApiKey, newApiKey, replaceApiKey } from "./users.ts";
import {
  DuplicateRecordError,
  type Clock,
  type DeviceKeyRecord,
  type IdSource,
  type Store,
  type Writes,
  type Reads,
  type UserRecord,
} from "../../store/ports/index.ts";
import {
  institutionById,
  institutions,
  users,
  apiKeys as apiKeysTable,
  deviceKeys,
  institutionsByName,
  liveStates,
  userByName,
  apiKeysOfUser,
  deviceKeysInStates,
  usersAfter,
} from "../../store/tables/index.ts";

/** What programs on the service's machine need to change users. */
export interface UserParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** The users that a command of the service's machine manages. */
export interface LocalChange {
  /** The interface that they call. */
  readonly realm: string;
  /** One of them, in messages: `user`. */
  readonly noun: string;
  /** The command, as the audit log names it: `payments-server users`. */
  readonly command: string;
}

export interface NewUser {
  readonly institutionId: string;
  /** Needed where the institution is new, and not looked at otherwise. */
  readonly institutionName?: string;
  readonly userName: string;
  readonly email: string;
  /** Default: all. */
  readonly scopes?: readonly string[];
  /** P-256 SPKI PEM, checked by the caller. */
  readonly publicKeyPem: string;
}

/** Shown once: the API key is not stored. */
export interface UserAccess {
  readonly apiKey: string;
  readonly keyId: string;
}

/**
 * Adds a user of an interface. The institution is added with it if it is new.
 * @throws Error if the user name is taken.
 */
export async function addUser(
  { store, clock, ids }: UserParts,
  user: NewUser,
  { realm, command }: LocalChange,
): Promise<UserAccess> {
  const { institutionId, institutionName, userName, email, scopes = ["*"], publicKeyPem } = user;
  const { record, issued } = newApiKey({ ids, clock }, userName, undefined);
  const key = activeKey(ids.id(), userName, publicKeyPem, record.createdAt);
  try {
    const add = async (plain: Writes): Promise<void> => {
      const tx = auditedBySystem(plain, { institutionId, operation: command, clock });
      if ((await tx.one(institutionById, institutionId)) === undefined) {
        await tx.insert(institutions, { id: institutionId, name: nameOf(institutionId, institutionName) });
      }
      await tx.insert(users, {
        userName,
        institutionId,
        realm,
        email,
        scopes,
        otpFailures: 0,
        createdAt: record.createdAt,
      });
      await tx.insert(apiKeysTable, record);
      await tx.insert(deviceKeys, key);
    };
    await store.write(add);
  } catch (error) {
    if (!(error instanceof DuplicateRecordError)) throw error;
    throw new Error(`There is a user ${userName} already: choose another name.`, { cause: error });
  }
  return { apiKey: issued.apiKey, keyId: key.keyId };
}

/** A user with what is left of the ways in. */
export interface ListedUser {
  readonly user: UserRecord;
  readonly validApiKeys: number;
  readonly activeKeys: number;
}

/** The users of an interface, of one institution or of all, by institution and name. */
export async function listUsers(
  { store, clock }: Pick<UserParts, "store" | "clock">,
  realm: string,
  institutionId?: string,
): Promise<readonly ListedUser[]> {
  return store.read(async (view) => {
    const all = await view.many(institutionsByName);
    const asked = all.filter(({ id }) => institutionId === undefined || id === institutionId);
    const found: ListedUser[] = [];
    for (const { id } of asked) {
      for await (const user of usersOf(view, id, realm)) found.push(await listed(view, user, clock.now()));
    }
    return found;
  });
}

/** New ways in for a user who has lost theirs, or whose keys are old. */
export interface UserRotation {
  readonly userName: string;
  /** How long the former API key stays valid. 0: it is revoked now. */
  readonly overlapSeconds: number;
  /** P-256 SPKI PEM, checked by the caller. It takes the place of all signing keys, which are revoked now. */
  readonly publicKeyPem?: string;
}

/**
 * Gives a user a new API key and, if it comes with one, a new signing key.
 * @throws Error if the interface has no such user.
 */
export async function rotateUser(
  parts: UserParts,
  { userName, overlapSeconds, publicKeyPem }: UserRotation,
  by: LocalChange,
): Promise<{ readonly apiKey: string; readonly keyId?: string }> {
  const { clock, ids } = parts;
  return changed(parts, userName, { by, verb: "rotate" }, async (store) => {
    if (overlapSeconds === 0) await revokeApiKeys(store, userName, clock.now());
    const rotation = { overlapMs: overlapSeconds * 1_000, expiresAt: undefined };
    const { issued } = await replaceApiKey({ store, clock, ids }, userName, rotation);
    if (publicKeyPem === undefined) return { apiKey: issued.apiKey };
    await revokeSigningKeys(store, userName, clock.now());
    const key = activeKey(ids.id(), userName, publicKeyPem, clock.now());
    await store.insert(deviceKeys, key);
    return { apiKey: issued.apiKey, keyId: key.keyId };
  });
}

/**
 * Revokes all API keys and signing keys of a user. The name stays taken: the audit log has it.
 * @throws Error if the interface has no such user.
 */
export async function revokeUser(
  parts: UserParts,
  userName: string,
  by: LocalChange,
): Promise<{ readonly apiKeys: number; readonly keys: number }> {
  return changed(parts, userName, { by, verb: "revoke" }, async (store) => ({
    apiKeys: await revokeApiKeys(store, userName, parts.clock.now()),
    keys: await revokeSigningKeys(store, userName, parts.clock.now()),
  }));
}

function changed<T>(
  { store, clock }: UserParts,
  userName: string,
  { by: { realm, noun, command }, verb }: { readonly by: LocalChange; readonly verb: string },
  change: (tx: Writes) => Promise<T>,
): Promise<T> {
  const work = async (plain: Writes): Promise<T> => {
    const user = await plain.one(userByName, userName);
    if (user?.realm !== realm)
      throw new Error(`There is no ${noun} ${userName}. \`${command} list\` shows those there are.`);
    const operation = `${command} ${verb}`;
    return change(auditedBySystem(plain, { institutionId: user.institutionId, operation, clock }));
  };
  return store.write(work);
}

async function revokeApiKeys(tx: Writes, userName: string, nowMs: number): Promise<number> {
  const live = (await apiKeysOfUser(tx, userName)).filter(({ revokedAt }) => revokedAt === undefined);
  for (const apiKey of live) await tx.replace(apiKeysTable, { ...apiKey, revokedAt: nowMs });
  return live.length;
}

async function revokeSigningKeys(tx: Writes, userName: string, nowMs: number): Promise<number> {
  const live = await tx.many(deviceKeysInStates, userName, liveStates);
  for (const key of live) await tx.replace(deviceKeys, { ...key, status: "REVOKED", revokedAt: nowMs });
  return live.length;
}

const usersAPage = 100;

async function* usersOf(view: Reads, institutionId: string, realm: string): AsyncGenerator<UserRecord> {
  let after: string | undefined;
  do {
    const page = await view.many(usersAfter, institutionId, realm, after ?? "", usersAPage);
    yield* page;
    after = page.length === usersAPage ? page.at(-1)?.userName : undefined;
  } while (after !== undefined);
}

async function listed(view: Reads, user: UserRecord, nowMs: number): Promise<ListedUser> {
  const apiKeys = await apiKeysOfUser(view, user.userName);
  return {
    user,
    validApiKeys: apiKeys.filter((apiKey) => isValidApiKey(apiKey, nowMs)).length,
    activeKeys: await view.count(deviceKeysInStates, user.userName, ["ACTIVE"]),
  };
}

function activeKey(
  keyId: string,
  userName: string,
  publicKeyPem: string,
  createdAt: number,
): DeviceKeyRecord {
  return { keyId, userName, publicKeyPem, status: "ACTIVE", createdAt };
}

function nameOf(institutionId: string, name = ""): string {
  if (name.trim() !== "") return name;
  throw new Error(`Institution ${institutionId} is new: give its name, --institution-name.`);
}
