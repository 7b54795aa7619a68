import { UnavailableError } from "../ports/index.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import type { Session } from "../postgres/connections.ts";

/** A session that says which database is away or full: a move has two. */
export function namedSession(name: string, session: Session): Session {
  const naming = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => rejectAs(name, error));
  return {
    rows: (...question) => naming(session.rows(...question)),
    rowsOnce: (...question) => naming(session.rowsOnce(...question)),
    change: (...question) => naming(session.change(...question)),
    execute: (sql) => naming(session.execute(sql)),
    release: session.release,
  };
}

/** Throws what a database rejected with, with its name where it is unavailable. */
export function rejectAs(name: string, error: unknown): never {
  if (!(error instanceof UnavailableError)) throw error;
  throw new StoreOpenError(
    `Database ${name}: ${error.message}. Nothing is lost; afterwards run the same command again`,
    { cause: error },
  );
}
