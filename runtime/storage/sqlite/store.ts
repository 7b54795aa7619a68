import type { Store } from "../../ports/index.ts";
import { withTransaction } from "../transaction.ts";
import { createCommitGroups } from "./commit-groups.ts";
import { openConnection, type Connection } from "./connection.ts";
import { writeEngine } from "./engine.ts";
import { createLogLimit } from "./log-limit.ts";
import { createLogMover } from "./log-mover.ts";
import { createSnapshots, type Snapshots } from "./snapshots.ts";
import { verifyLedger } from "./verify.ts";

/** The store over a file that this process alone writes to. `unlock` is called once it is closed. */
export function writerStore(file: string, unlock: () => void): Store {
  const connection = openConnection(file, { readOnly: false });
  const engine = writeEngine(connection);
  const snapshots = createSnapshots({ open: () => reader(file), isOnlyWriter: true });
  const mover = createLogMover(file);
  const groups = createCommitGroups({
    connection,
    betweenCommits: createLogLimit({ file, connection, mover, snapshots }),
    ...snapshots,
  });

  let closed: Promise<void> | undefined;
  return {
    ...reading(snapshots),
    transact: (work, options) => groups.transact(() => withTransaction(engine, work), options),
    close: () => (closed ??= close()),
  };

  /** Moves the write-ahead log into the file, so that the file alone is the whole store. */
  async function close(): Promise<void> {
    await groups.close();
    await mover.close();
    await snapshots.close();
    connection.rows("PRAGMA wal_checkpoint(TRUNCATE)", []);
    connection.close();
    unlock();
  }
}

/** The store over a file that another process may be writing to. */
export function readerStore(file: string): Store {
  const snapshots = createSnapshots({ open: () => reader(file), isOnlyWriter: false });
  let closed: Promise<void> | undefined;
  return {
    ...reading(snapshots),
    transact: () => Promise.reject(new Error("the store is open for reading only")),
    close: () => (closed ??= snapshots.close()),
  };
}

function reading(snapshots: Snapshots): Pick<Store, "read" | "verify" | "ping"> {
  return {
    read: (work) => snapshots.read(work),
    verify: () => snapshots.read(async (_view, connection) => verifyLedger(connection)),
    ping: () =>
      snapshots.read(async (_view, connection) => {
        connection.row("SELECT max(number) FROM migrations", []);
      }),
  };
}

function reader(file: string): Connection {
  return openConnection(file, { readOnly: true });
}
