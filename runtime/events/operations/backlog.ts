import { setImmediate as eventLoopTurn } from "node:timers/promises";
import type { Clock, Store, Reads } from "../../store/ports/index.ts";
import {
  deadDeliveries,
  dueMails,
  eventsOfInstitution,
  fullLanesOfInstitution,
  institutionsByName,
  laneEventsOfInstitution,
  mailsInState,
  openDeliveries,
  type Query,
} from "../../store/tables/index.ts";

/** Things that wait. */
export interface Waiting {
  /** Counted as far as the store counts. */
  readonly count: number;
  /** Creation of the oldest; absent if nothing waits. */
  readonly oldestAt: number | undefined;
}

/** What waits, and what was given up and waits for an operator. */
export const waitingKinds = [
  /** In the outbox: not yet on their way to subscribers. */
  "events",
  /** In the lanes of users: not yet on their way to all subscribers. */
  "laneEvents",
  /** Users whose events wait because their limit of waiting deliveries is reached. */
  "usersAtLimit",
  /** Deliveries, by state. */
  "PENDING",
  "WAITING",
  "HELD",
  "DEAD",
  /** Mails to be sent, and those whose attempts are used up. */
  "mails",
  "failedMails",
] as const;
export type Backlog = Readonly<Record<(typeof waitingKinds)[number], Waiting>>;

/** What waits of one institution. The questions end at an index entry each, or at the limit of counts. */
export async function readBacklog(view: Reads, institutionId: string): Promise<Backlog> {
  const waiting = async <R extends { readonly createdAt: number }>(
    query: Query<R>,
    ...values: readonly string[]
  ): Promise<Waiting> => ({
    count: await view.count(query, institutionId, ...values),
    oldestAt: (await view.one(query, institutionId, ...values, 1))?.createdAt,
  });
  return {
    events: await waiting(eventsOfInstitution),
    laneEvents: await waiting(laneEventsOfInstitution),
    usersAtLimit: {
      count: await view.count(fullLanesOfInstitution, institutionId),
      oldestAt: (await view.one(fullLanesOfInstitution, institutionId, 1))?.fullSince,
    },
    PENDING: await waiting(openDeliveries, "PENDING"),
    WAITING: await waiting(openDeliveries, "WAITING"),
    HELD: await waiting(openDeliveries, "HELD"),
    DEAD: await waiting(deadDeliveries),
    mails: await waiting(mailsInState, "PENDING"),
    failedMails: await waiting(mailsInState, "FAILED"),
  };
}

/** What waits of all institutions, and mails that an earlier release wrote. */
export async function readWholeBacklog(store: Store): Promise<Backlog> {
  const found: Backlog[] = [];
  for (const { id } of await store.read((view) => view.many(institutionsByName))) {
    found.push(await store.read((view) => readBacklog(view, id)));
    // Others are served between two institutions: each may take 90,000 rows.
    await eventLoopTurn();
  }
  const { mails, ...rest } = sumOf(found);
  const count = await store.read((view) => view.count(dueMails, Number.MAX_SAFE_INTEGER));
  return { ...rest, mails: { ...mails, count } };
}

function sumOf(all: readonly Backlog[]): Backlog {
  const sum = (kind: keyof Backlog): Waiting => {
    const each = all.map((backlog) => backlog[kind]);
    const times = each.flatMap(({ oldestAt }) => oldestAt ?? []);
    return {
      count: each.reduce((total, { count }) => total + count, 0),
      oldestAt: times.length === 0 ? undefined : Math.min(...times),
    };
  };
  return {
    events: sum("events"),
    laneEvents: sum("laneEvents"),
    usersAtLimit: sum("usersAtLimit"),
    PENDING: sum("PENDING"),
    WAITING: sum("WAITING"),
    HELD: sum("HELD"),
    DEAD: sum("DEAD"),
    mails: sum("mails"),
    failedMails: sum("failedMails"),
  };
}

/** Since how long something waits, in milliseconds; 0 where nothing does. */
export function ageOf({ oldestAt }: Waiting, clock: Pick<Clock, "now">): number {
  return oldestAt === undefined ? 0 : Math.max(clock.now() - oldestAt, 0);
}
