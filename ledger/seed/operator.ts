import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import { isValidApiKey, newApiKey, replaceApiKey } from "../../runtime/operations/admin/index.ts";
import { operatorRealm } from "../handlers/services/users/realms.ts";
import {
  DuplicateRecordError,
  type Clock,
  type DeviceKeyRecord,
  type IdSource,
  type Store,
  type Writes,
  type Reads,
  type UserRecord,
} from "../../runtime/store/ports/index.ts";
import {
  institutionById,
  institutions,
  users,
  apiKeys as apiKeysTable,
  deviceKeys,
  institutionsByName,
  userByName,
  apiKeysOfUser,
  deviceKeysOfUser,
  usersAfter,
} from "../../runtime/store/tables/index.ts";

/** What local commands need to change operators. */
export interface OperatorParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface NewOperator {
  readonly institutionId: string;
  /** Needed where the institution is new, and not looked at otherwise. */
  readonly institutionName?: string;
  readonly userName: string;
  readonly email: string;
  /** P-256 SPKI PEM, checked by the caller. */
  readonly publicKeyPem: string;
}

/** Shown once: the API key is not stored. */
export interface OperatorAccess {
  readonly apiKey: string;
  readonly keyId: string;
}

/**
 * Adds an operator: no request can. The institution is added with it if it is new.
 * @throws Error if the user name is taken.
 */
export async function createOperator(
  { store, clock, ids }: OperatorParts,
  operator: NewOperator,
): Promise<OperatorAccess> {
  const { institutionId, institutionName, userName, email, publicKeyPem } = operator;
  const { record, issued } = newApiKey({ ids, clock }, userName, undefined);
  const key = activeKey(ids.id(), userName, publicKeyPem, record.createdAt);
  try {
    const add = async (plain: Writes): Promise<void> => {
      const tx = auditedBySystem(plain, { institutionId, operation: "ledger-server operator", clock });
      if ((await tx.one(institutionById, institutionId)) === undefined) {
        await tx.insert(institutions, { id: institutionId, name: nameOf(institutionId, institutionName) });
      }
      await tx.insert(users, {
        userName,
        institutionId,
        realm: operatorRealm,
        email,
        scopes: ["*"],
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

/** An operator with what is left of the ways in. */
export interface ListedOperator {
  readonly user: UserRecord;
  readonly validApiKeys: number;
  readonly activeKeys: number;
}

/** The operators of one institution, or of all of a store's, by institution and name. */
export async function listOperators(
  { store, clock }: Pick<OperatorParts, "store" | "clock">,
  institutionId?: string,
): Promise<readonly ListedOperator[]> {
  return store.read(async (view) => {
    const all = await view.many(institutionsByName);
    const asked = all.filter(({ id }) => institutionId === undefined || id === institutionId);
    const found: ListedOperator[] = [];
    for (const { id } of asked) {
      for await (const user of operatorsOf(view, id)) found.push(await listed(view, user, clock.now()));
    }
    return found;
  });
}

/** New ways in for an operator who has lost theirs, or whose keys are old. */
export interface OperatorRotation {
  readonly userName: string;
  /** How long the former API key stays valid. 0: it is revoked now. */
  readonly overlapSeconds: number;
  /** P-256 SPKI PEM, checked by the caller. It takes the place of all signing keys, which are revoked now. */
  readonly publicKeyPem?: string;
}

/**
 * Gives an operator a new API key and, if it comes with one, a new signing key.
 * @throws Error if there is no such operator.
 */
export async function rotateOperator(
  parts: OperatorParts,
  { userName, overlapSeconds, publicKeyPem }: OperatorRotation,
): Promise<{ readonly apiKey: string; readonly keyId?: string }> {
  const { clock, ids } = parts;
  return changed(parts, userName, "ledger-server operator rotate", async (store) => {
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
 * Revokes all API keys and signing keys of an operator. The name stays taken: the audit log has it.
 * @throws Error if there is no such operator.
 */
export async function revokeOperator(
  parts: OperatorParts,
  userName: string,
): Promise<{ readonly apiKeys: number; readonly keys: number }> {
  return changed(parts, userName, "ledger-server operator revoke", async (store) => ({
    apiKeys: await revokeApiKeys(store, userName, parts.clock.now()),
    keys: await revokeSigningKeys(store, userName, parts.clock.now()),
  }));
}

function changed<T>(
  { store, clock }: OperatorParts,
  userName: string,
  operation: string,
  change: (tx: Writes) => Promise<T>,
): Promise<T> {
  const work = async (plain: Writes): Promise<T> => {
    const user = await plain.one(userByName, userName);
    if (user?.realm !== operatorRealm)
      throw new Error(
        `There is no operator ${userName}. \`ledger-server operator list\` shows those there are.`,
      );
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
  const live = (await tx.many(deviceKeysOfUser, userName)).filter(({ status }) => status !== "REVOKED");
  for (const key of live) await tx.replace(deviceKeys, { ...key, status: "REVOKED", revokedAt: nowMs });
  return live.length;
}

const usersAPage = 100;

async function* operatorsOf(view: Reads, institutionId: string): AsyncGenerator<UserRecord> {
  let after: string | undefined;
  do {
    const page = await view.many(usersAfter, institutionId, operatorRealm, after ?? "", usersAPage);
    yield* page;
    after = page.length === usersAPage ? page.at(-1)?.userName : undefined;
  } while (after !== undefined);
}

async function listed(view: Reads, user: UserRecord, nowMs: number): Promise<ListedOperator> {
  const apiKeys = await apiKeysOfUser(view, user.userName);
  const keys = await view.many(deviceKeysOfUser, user.userName);
  return {
    user,
    validApiKeys: apiKeys.filter((apiKey) => isValidApiKey(apiKey, nowMs)).length,
    activeKeys: keys.filter(({ status }) => status === "ACTIVE").length,
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
