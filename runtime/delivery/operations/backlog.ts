import type { Clock, OpenState, Store } from "../../ports/index.ts";

/** Deliveries that have not arrived, over all institutions. */
export interface Backlog {
  readonly deliveries: Readonly<Record<OpenState | "DEAD", number>>;
  /** Age of the oldest event in the outbox; 0 where there is none. */
  readonly outboxLagMs: number;
  /** Age of the oldest event with a PENDING delivery; 0 where there is none. */
  readonly oldestPendingMs: number;
}

export function readBacklog({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}): Promise<Backlog> {
  return store.read(async (view) => {
    const nowMs = clock.now();
    const ageOf = (first: { readonly createdAt: number } | undefined): number =>
      first === undefined ? 0 : Math.max(nowMs - first.createdAt, 0);
    const [waiting] = await view.outboxEvents.list(1);
    const { deliveries } = view;
    return {
      deliveries: {
        PENDING: await deliveries.countOpen("PENDING"),
        WAITING: await deliveries.countOpen("WAITING"),
        HELD: await deliveries.countOpen("HELD"),
        DEAD: await deliveries.countDead(),
      },
      outboxLagMs: ageOf(waiting),
      oldestPendingMs: ageOf(await deliveries.oldestOpen("PENDING")),
    };
  });
}
