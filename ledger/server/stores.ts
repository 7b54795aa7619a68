import type { Logger } from "pino";
import type { Config, NamedDatabase } from "../../runtime/config/index.ts";
import type { EventDelivery, KeySet } from "../../runtime/delivery/index.ts";
import type { Store } from "../../runtime/ports/index.ts";
import { firstName, openDirectory, openStore, type OpenStoreOptions } from "../../runtime/storage/index.ts";
import { healthLog } from "./from-config.ts";

/** The databases that a service works on. */
export interface Stores {
  /** The store that calls are answered from. */
  readonly store: Store;
  /** Each database by itself: for delivery, mail and roots. */
  readonly parts: readonly Store[];
  /** Says in which database a new institution is to be. Absent where there is one database. */
  readonly place?: (institutionId: string, database: string) => Promise<void>;
}

/** All databases, the one that holds the directory first. */
export function databasesOf({ database }: Config): readonly NamedDatabase[] {
  return [{ name: firstName, url: database.url }, ...database.others];
}

/** Opens the database, or all where the deployment has several. */
export async function openStores(
  config: Config,
  options: Omit<OpenStoreOptions, "onHealth">,
  logger: Logger,
): Promise<Stores> {
  const opening = { ...options, onHealth: healthLog(logger) };
  if (config.database.others.length === 0) {
    const store = await openStore(config.database.url, opening);
    return { store, parts: [store] };
  }
  const { store, parts, place } = await openDirectory(databasesOf(config), opening);
  return { store, parts: [...parts.values()], place };
}

/** Delivery from several databases as one. */
export type Deliveries = Omit<EventDelivery, "keys"> & {
  readonly keys: Pick<EventDelivery["keys"], "keySet">;
};

export function together(all: readonly EventDelivery[]): Deliveries {
  let joined: { readonly of: readonly object[]; readonly set: KeySet } | undefined;
  return {
    pollOutbox: () => all.forEach((each) => each.pollOutbox()),
    claimDue: () => all.forEach((each) => each.claimDue()),
    keys: {
      async keySet() {
        const sets = await Promise.all(all.map(({ keys }) => keys.keySet()));
        if (joined?.of.length !== sets.length || sets.some((set, index) => joined?.of[index] !== set))
          joined = { of: sets, set: { keys: sets.flatMap(({ keys }) => keys) } };
        return joined.set;
      },
    },
    close: async (graceMs) => {
      await Promise.all(all.map((each) => each.close(graceMs)));
    },
  };
}
