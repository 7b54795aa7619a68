import type { Connections, PgRow, Session } from "../connections.ts";
import type { PgValue } from "../dialect.ts";

/** One connection that many ask at once. */
export interface SharedSession {
  /** One quick statement, outside of any transaction: those behind it wait for its answer. */
  rows(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>;
}

interface Held {
  readonly opened: Promise<Session>;
  users: number;
  failure?: unknown;
}

/**
 * Takes a connection while there are questions, and gives it back afterwards. Questions of many callers travel together, so that
 * the server and the driver wake up for several of them at a time.
 */
export function createSharedSession(connections: Connections): SharedSession {
  let current: Held | undefined;

  /** Callers that come after this take another connection. */
  function leave(held: Held): void {
    if (current === held) current = undefined;
  }

  function giveBack({ opened, failure }: Held): void {
    void opened.then(
      (session) => session.release(failure),
      () => undefined,
    );
  }

  return {
    rows: async (sql, values) => {
      const held = (current ??= { opened: connections.session(), users: 0 });
      held.users += 1;
      try {
        const session = await held.opened;
        return await session.rows(sql, values);
      } catch (error) {
        held.failure ??= error;
        leave(held);
        throw error;
      } finally {
        held.users -= 1;
        if (held.users === 0) {
          leave(held);
          giveBack(held);
        }
      }
    },
  };
}
