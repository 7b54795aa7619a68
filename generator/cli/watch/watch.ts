import { setTimeout as sleep } from "node:timers/promises";
import { exitCode } from "../exit-code.ts";
import type { Selection, SpecOptions } from "../select.ts";
import type { Terminal } from "../terminal.ts";
import type { Change } from "./changes.ts";
import { createFileEvents, type FileEvents } from "../file-events.ts";
import { createSession } from "./session.ts";
import { createRoundPrinter } from "./show-round.ts";
import { stopSignal } from "../../../conformance/base/stop-signal.ts";

/** How long nothing may happen before files count as saved: editors save several at once, and one in several steps. */
const quietMs = 10;
/** The same where a file looks as if it were being saved: it is gone, or empty, or does not make sense. */
const longQuietMs = 150;
/** How long files may go on changing before a round starts all the same. */
const quietWithinMs = 2_000;

/**
 * `ledger-rpc generate --watch`: generates, and again whenever a spec or the config was saved, until it is stopped.
 * One round at a time; what is saved during one is for the next.
 */
export async function watchSpecs(
  options: SpecOptions,
  first: Extract<Selection, { kind: "selected" }>,
  terminal: Terminal,
): Promise<number> {
  const stop = stopSignal();
  const events = createFileEvents();
  const session = await createSession(options, first);
  const printer = createRoundPrinter(terminal, options.json === true);
  try {
    events.follow(session.followed);
    const start = await session.round(session.look());
    printer.started(start, first.targets);
    start.remember();
    let unshown: readonly Change[] = [];
    while (!stop.aborted) {
      const seen = events.count;
      events.follow(session.followed);
      let look = session.look();
      if (look.changes.length === 0) {
        await events.after(seen, stop);
        await quiet(events, quietMs, stop);
        continue;
      }
      const startedAt = performance.now();
      if (look.changes.some(({ looksUnfinished }) => looksUnfinished)) {
        await quiet(events, longQuietMs, stop);
        look = session.look();
      }
      const round = await session.round(look);
      const elapsedMs = performance.now() - startedAt;
      if (round.failed) await quiet(events, longQuietMs, stop);
      const changes = inPathOrder([...unshown, ...look.changes]);
      const isOver = !round.failed || session.look().changes.length === 0;
      unshown = isOver ? [] : changes;
      if (!isOver) continue;
      printer.changed(round, changes, elapsedMs);
      round.remember();
    }
    printer.stopped();
    return exitCode.ok;
  } finally {
    events.close();
  }
}

/** The last change of each file. */
function inPathOrder(changes: readonly Change[]): readonly Change[] {
  const last = new Map(changes.map((change) => [change.path, change]));
  return [...last.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Waits until nothing has happened for a while. */
async function quiet(events: FileEvents, durationMs: number, stop: AbortSignal): Promise<void> {
  const endsAt = performance.now() + quietWithinMs;
  let seen: number;
  do {
    seen = events.count;
    await sleep(durationMs, undefined, { signal: stop }).catch(() => undefined);
  } while (events.count !== seen && !stop.aborted && performance.now() < endsAt);
}
