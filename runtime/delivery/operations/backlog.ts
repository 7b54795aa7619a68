import type { Clock, Store, StoreView } from "../../ports/index.ts";

/** Things that wait. */
export interface Waiting {
  /** Counted as far as the store counts. */
  readonly count: number;
  /** Creation of the oldest; absent where there is none. */
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
export async function readBacklog(view: StoreView, institutionId: string): Promise<Backlog> {
  const { outboxEvents, laneEvents, fullLanes, deliveries, outboxMails } = view;
  const open = (state: "PENDING" | "WAITING" | "HELD") =>
    waiting(deliveries.countOpen(institutionId, state), deliveries.oldestOpen(institutionId, state));
  const mails = (state: "PENDING" | "FAILED") =>
    waiting(outboxMails.countIn(institutionId, state), outboxMails.oldestIn(institutionId, state));
  return {
    events: await waiting(outboxEvents.countOf(institutionId), outboxEvents.oldestOf(institutionId)),
    laneEvents: await waiting(laneEvents.countOf(institutionId), laneEvents.oldestOf(institutionId)),
    usersAtLimit: {
      count: await fullLanes.countOf(institutionId),
      oldestAt: (await fullLanes.oldestOf(institutionId))?.fullSince,
    },
    PENDING: await open("PENDING"),
    WAITING: await open("WAITING"),
    HELD: await open("HELD"),
    DEAD: await waiting(deliveries.countDead(institutionId), deliveries.oldestDead(institutionId)),
    mails: await mails("PENDING"),
    failedMails: await mails("FAILED"),
  };
}

async function waiting(
  count: Promise<number>,
  oldest: Promise<{ readonly createdAt: number } | undefined>,
): Promise<Waiting> {
  return { count: await count, oldestAt: (await oldest)?.createdAt };
}

/** What waits of all institutions, and mails that an earlier release wrote. */
export function readWholeBacklog(store: Store): Promise<Backlog> {
  return store.read(async (view) => {
    const found: Backlog[] = [];
    for (const { id } of await view.institutions.list()) found.push(await readBacklog(view, id));
    const { mails, ...rest } = sumOf(found);
    return { ...rest, mails: { ...mails, count: await view.outboxMails.countPending() } };
  });
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
