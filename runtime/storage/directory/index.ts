import { LRUCache } from "lru-cache";
import type { Concern, Store, StoreTransaction } from "../../ports/index.ts";
import type { OpenStoreOptions, SpreadDatabases } from "../common/adapter.ts";
import { MovedError } from "../common/moved-error.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { firstName, type NamedDatabase } from "../common/named-database.ts";
import type { Places } from "../common/places.ts";

/** Institutions over several databases. */
export interface Directory {
  /** Goes to the database of the institution that a piece of work is about. */
  readonly store: Store;
  /** The store of each database: for work of the service's own. The first one is `firstName`. */
  readonly parts: ReadonlyMap<string, Store>;
  /** Says where a new institution is to be. */
  place(institutionId: string, database: string): Promise<void>;
}

/** An institution may have been moved on while it was looked for. */
const hopsMax = 4;
const rememberedMax = 100_000;

/** Opens all databases, the first of which holds the directory. */
export async function openSpread(
  databases: readonly NamedDatabase[],
  options: OpenStoreOptions,
  { open, openPlaces }: SpreadDatabases,
): Promise<Directory> {
  const [first] = databases;
  if (first === undefined) throw new StoreOpenError("a deployment has a database");
  const parts = new Map<string, Store>();
  try {
    for (const { name, url } of databases) parts.set(name, await open(url, options));
  } catch (error) {
    await Promise.all([...parts.values()].map((part) => part.close()));
    throw error;
  }
  const places = await openPlaces(first.url, options.connections);
  return {
    store: directoryStore(parts, places),
    parts,
    place: (institutionId, database) => {
      partOf(parts, database);
      return places.place(institutionId, database);
    },
  };
}

function partOf(parts: ReadonlyMap<string, Store>, database: string): Store {
  const part = parts.get(database);
  if (part !== undefined) return part;
  throw new StoreOpenError(
    `The directory names the database ${database}, and LEDGER_DATABASE_OTHERS does not: give every process the same`,
  );
}

function directoryStore(parts: ReadonlyMap<string, Store>, places: Places): Store {
  /** Where an institution was last found. Its database says so if it has left. */
  const databases = new LRUCache<string, string>({ max: rememberedMax });
  /** A user never changes the institution. */
  const institutions = new LRUCache<string, string>({ max: rememberedMax });
  const first = partOf(parts, firstName);

  async function databaseOf(institutionId: string): Promise<string> {
    const known = databases.get(institutionId);
    if (known !== undefined) return known;
    const database = (await places.databaseOf(institutionId)) ?? firstName;
    databases.set(institutionId, database);
    return database;
  }

  async function institutionOf(about: Concern): Promise<string | undefined> {
    if ("institutionId" in about) return about.institutionId;
    const { userName } = about;
    const known = institutions.get(userName) ?? (await places.institutionOf(userName));
    if (known !== undefined) institutions.set(userName, known);
    return known;
  }

  /** Does the work in the database of the institution, wherever it has been moved to meanwhile. */
  async function routed<T>(
    about: Concern | undefined,
    work: (part: Store, found: Concern | undefined) => Promise<T>,
  ): Promise<T> {
    const institutionId = about && (await institutionOf(about));
    if (institutionId === undefined) return work(first, undefined);
    for (let hop = 1; ; hop += 1) {
      try {
        return await work(partOf(parts, await databaseOf(institutionId)), { institutionId });
      } catch (error) {
        if (!(error instanceof MovedError) || hop === hopsMax) throw error;
        databases.set(institutionId, error.database);
      }
    }
  }

  return {
    read: (work, about) => routed(about, (part, found) => part.read(work, found)),
    transact: (work, options) =>
      routed(options?.about, (part, found) => {
        const { about: _about, ...rest } = options ?? {};
        if (found === undefined || !("institutionId" in found)) return part.transact(work, rest);
        return part.transact((tx) => work(takingUserNames(tx, found.institutionId, places)), {
          ...rest,
          about: found,
        });
      }),
    verify: (options) => first.verify(options),
    ping: () => first.ping(),
    health: () => [...parts.values()].map((part) => part.health()).find(isFailing) ?? first.health(),
    close: async () => {
      await Promise.all([...parts.values()].map((part) => part.close()));
      await places.close();
    },
  };
}

function isFailing({ kind }: ReturnType<Store["health"]>): boolean {
  return kind === "failing";
}

/** User names are unique over all databases: one is taken in the directory before a user gets it. */
function takingUserNames(tx: StoreTransaction, institutionId: string, places: Places): StoreTransaction {
  return {
    ...tx,
    users: {
      ...tx.users,
      insert: async (user) => {
        await places.takeUserName(user.userName, institutionId);
        await tx.users.insert(user);
      },
    },
  };
}
