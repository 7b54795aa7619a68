import type { GetBacklogHandler } from "../../../generated/operator/handlers.ts";
import { type Backlog } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { readBacklog, type Waiting } from "../../../runtime/events/index.ts";
import { optionalTimestamp } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Tells what waits of the institution, and what was given up. Operators bound to customers may not read it.
 *
 * @see section 6 · D-43 · D-58
 */
export const getBacklog: GetBacklogHandler<Contexts> = async ({ countTo = Infinity }, context) => {
  const { store, caller } = context;
  if (caller.groups !== undefined) throw context.error("UNAUTHORIZED", { reason: "limited-to-customers" });
  const backlog = await readBacklog(store, caller.institutionId);
  const backlogOf = ({ count, oldestAt }: Waiting): Backlog => ({
    count: Math.min(count, countTo),
    ...omitUndefined({ oldestDate: optionalTimestamp(oldestAt) } satisfies Given<Backlog>),
  });
  return {
    events: backlogOf(backlog.events),
    laneEvents: backlogOf(backlog.laneEvents),
    usersAtLimit: backlogOf(backlog.usersAtLimit),
    pending: backlogOf(backlog.PENDING),
    waiting: backlogOf(backlog.WAITING),
    held: backlogOf(backlog.HELD),
    deadLetters: backlogOf(backlog.DEAD),
    mails: backlogOf(backlog.mails),
    failedMails: backlogOf(backlog.failedMails),
  };
};
