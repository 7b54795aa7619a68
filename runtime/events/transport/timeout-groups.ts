import type { Clock } from "../../store/ports/index.ts";

/** Time limits that share timers. */
export interface TimeoutGroups<Reason> {
  /** Calls `end` after the time limit. Returns the function that lifts the limit. */
  start(nowMs: number, end: (reason: Reason) => void): () => void;
  /** Calls every `end` now. */
  endAll(reason: Reason): void;
}

/** Limits that begin in the same millisecond share one timer: a flood of attempts would need too many. */
interface Group<Reason> {
  readonly beganAtMs: number;
  readonly ends: Set<(reason: Reason) => void>;
  cancel(): void;
}

export function createTimeoutGroups<Reason>(
  clock: Clock,
  timeoutMs: number,
  late: Reason,
): TimeoutGroups<Reason> {
  const groups = new Set<Group<Reason>>();
  let latest: Group<Reason> | undefined;

  function newGroup(beganAtMs: number): Group<Reason> {
    const ends = new Set<(reason: Reason) => void>();
    const cancel = clock.schedule(timeoutMs, () => endGroup(ends, late));
    const group = { beganAtMs, ends, cancel };
    groups.add(group);
    return group;
  }

  return {
    start(nowMs, end) {
      const group = latest?.beganAtMs === nowMs && groups.has(latest) ? latest : newGroup(nowMs);
      latest = group;
      group.ends.add(end);
      return () => {
        if (!group.ends.delete(end) || group.ends.size > 0) return;
        groups.delete(group);
        group.cancel();
      };
    },
    endAll(reason) {
      for (const { ends } of groups) endGroup(ends, reason);
    },
  };
}

function endGroup<Reason>(ends: ReadonlySet<(reason: Reason) => void>, reason: Reason): void {
  for (const end of ends) end(reason);
}
