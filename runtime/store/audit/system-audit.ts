import type { Clock, Writes } from "../ports/index.ts";
import { auditedStore } from "./audited-store.ts";
import { appendAudit } from "./entries.ts";

/** The service itself as the actor of a change, with the institution and the reason. */
export interface SystemActor {
  readonly institutionId: string;
  /** Name of the action, such as `endpoint-gone` or `ledger-server operator`. */
  readonly operation: string;
  readonly clock: Pick<Clock, "now">;
}

/** As auditedBySystem, of what concerns several institutions alike: each has the entries in its own log. */
export function auditedByAll(
  store: Writes,
  {
    institutionIds,
    operation,
    clock,
  }: Omit<SystemActor, "institutionId"> & { readonly institutionIds: readonly string[] },
): Writes {
  return auditedStore(store, {
    async record(change) {
      for (const institutionId of institutionIds)
        await appendAudit(store, { ...change, institutionId, operation, changedAt: clock.now() });
    },
  });
}

/** A transaction whose changes leave audit entries without a user: the actor `system`. */
export function auditedBySystem(store: Writes, { institutionId, operation, clock }: SystemActor): Writes {
  return auditedStore(store, {
    record: (change) => appendAudit(store, { ...change, institutionId, operation, changedAt: clock.now() }),
  });
}
