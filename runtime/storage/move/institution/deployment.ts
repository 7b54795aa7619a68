import { standardConnections } from "../../common/adapter.ts";
import { StoreOpenError } from "../../common/store-open-error.ts";
import type { NamedDatabase } from "../../common/named-database.ts";
import { createConnections, type Session } from "../../postgres/connections.ts";
import { requireUpToDate } from "../../postgres/migrate.ts";
import { namedSession, rejectAs } from "./named-session.ts";
import { moveName, placeIn } from "./steps.ts";

/** The databases of a deployment, each with one connection that is opened when it is first asked for. */
export interface Deployment {
  readonly databases: readonly NamedDatabase[];
  /** Throws a `StoreOpenError` where there is none of that name. */
  sessionOf(name: string): Promise<Session>;
}

/** An institution on its way. */
export interface UnderWay {
  /** The name of the database that has it. */
  readonly from: string;
  /** Of the one that it is moved to; absent: it is not moved, or was not when the connection asked. */
  readonly to: string | undefined;
  /** Whether it has left the one and is not in the other yet. */
  readonly hasLeft: boolean;
}

/** Runs `work` with connections to the databases. */
export async function withDeployment<T>(
  databases: readonly NamedDatabase[],
  work: (deployment: Deployment) => Promise<T>,
): Promise<T> {
  const pools = new Map(databases.map(({ name, url }) => [name, connectionsTo(url)]));
  const sessions = new Map<string, Session>();
  const sessionOf = async (name: string): Promise<Session> => {
    const known = sessions.get(name);
    if (known !== undefined) return known;
    const opened = await pools
      .get(name)
      ?.session()
      .catch((error: unknown) => rejectAs(name, error));
    if (opened === undefined) {
      throw new StoreOpenError(`There is no database ${name}: there are ${[...pools.keys()].join(", ")}`);
    }
    const session = namedSession(name, opened);
    sessions.set(name, session);
    await prepare(session);
    return session;
  };
  try {
    return await work({ databases, sessionOf });
  } finally {
    for (const session of sessions.values()) session.release();
    for (const pool of pools.values()) await pool.close();
  }
}

function connectionsTo(url: string) {
  return createConnections(
    url,
    { ...standardConnections, poolSize: 1, statementTimeoutMs: 0 },
    { name: moveName },
  );
}

async function prepare(session: Session): Promise<void> {
  // One of the two waits while the other one compares.
  await session.execute("SET idle_in_transaction_session_timeout = 0");
  // An institution is most of its database: reading all of a table is no conflict here.
  await session.execute("SET enable_seqscan = on");
  await session.execute("SET work_mem = '64MB'");
  // A long comparison of a move that was killed ends, where the server's machine can tell.
  await session.execute("SET client_connection_check_interval = '1s'").catch(() => undefined);
}

/** Where an institution is. Throws a `StoreOpenError` where it is unknown. */
export async function whereabouts(
  institutionId: string,
  { databases, sessionOf }: Deployment,
): Promise<UnderWay> {
  const seen = new Set<string>();
  let name = databases[0]?.name ?? "";
  for (;;) {
    const session = await sessionOf(name);
    await requireUpToDate(session);
    const place = await placeIn(session, institutionId);
    if (place === undefined || place.state === "PAUSED") {
      const rows = await session.rowsOnce("SELECT 1 FROM institutions WHERE id = $1", [institutionId]);
      if (rows.length === 0) throw new StoreOpenError(`There is no institution ${institutionId}`);
      return { from: name, to: place?.database, hasLeft: false };
    }
    if (place.state === "MOVED" && (await isArriving(place.database, name)))
      return { from: name, to: place.database, hasLeft: true };
    if (seen.has(name)) throw new StoreOpenError(`The databases refer to each other for ${institutionId}`);
    seen.add(name);
    name = place.database;
  }

  async function isArriving(target: string, source: string): Promise<boolean> {
    const place = await placeIn(await sessionOf(target), institutionId);
    return place?.state === "ARRIVING" && place.database === source;
  }
}
