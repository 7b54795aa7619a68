import { setTimeout as sleep } from "node:timers/promises";
import { StoreBusyError, UnavailableError, type Writes, type WriteOptions } from "../../ports/index.ts";
import type { Sealing } from "../../common/sealing.ts";
import { withTransaction } from "../../common/engine.ts";
import type { Connections, Session } from "../connections.ts";
import { writeEngine, type ReadList } from "./engine.ts";
import { declaredFault, isConflict, isLocked } from "../errors.ts";

interface SerializableOptions {
  readonly connections: Connections;
  readonly limiter: ConflictLimiter;
  readonly sealing: Sealing;
  readonly readList: ReadList;
}

/** How often a transaction that met others is run again, and how long it waits before, at most. */
const attemptsMax = 40;
const pauseMsMax = 50;

/**
 * Runs `work` as if alone, and again while it meets other transactions. The isolation level is SERIALIZABLE, or READ
 * COMMITTED if it claims what it changes. Each attempt begins anew, so `work` touches nothing but the transaction.
 */
export async function serializable<T>(
  options: SerializableOptions,
  work: (tx: Writes) => Promise<T>,
  { isClaim = false }: WriteOptions = {},
): Promise<T> {
  const { limiter } = options;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const leave = await limiter.enter();
    let isMet = false;
    try {
      const outcome = await runOnce(options, work, isClaim);
      if (outcome.kind === "committed") return outcome.value;
      isMet = true;
    } finally {
      leave(isMet ? "conflict" : "done");
    }
    // Random, so that those who met do not meet again.
    await sleep(Math.random() * Math.min(pauseMsMax, 2 ** attempt));
  }
  throw new StoreBusyError(`the transaction met others ${attemptsMax} times: ask again later`);
}

type Outcome<T> = { readonly kind: "committed"; readonly value: T } | { readonly kind: "conflict" };

async function runOnce<T>(
  { connections, sealing, readList }: SerializableOptions,
  work: (tx: Writes) => Promise<T>,
  isClaim: boolean,
): Promise<Outcome<T>> {
  const session = await connections.session();
  const watched = watch(session);
  let isOver = false;
  let broken: unknown;
  try {
    // Travels with the first question.
    const begun = watched.session.execute(
      `BEGIN ISOLATION LEVEL ${isClaim ? "READ COMMITTED" : "SERIALIZABLE"}`,
    );
    begun.catch(() => undefined);
    const value = await withTransaction(writeEngine(watched.session, sealing, readList), work);
    await begun;
    if (watched.failure() !== undefined) throw watched.failure();
    isOver = true;
    await commit(session);
    return { kind: "committed", value };
  } catch (error) {
    const failure = watched.failure() ?? error;
    if (failure instanceof UnavailableError && !isLocked(failure)) broken = failure;
    else if (!isOver) broken = await rolledBack(session);
    // The work runs again, whatever it made of the conflict.
    if (isConflict(failure)) return { kind: "conflict" };
    throw failure instanceof UnavailableError ? failure : error;
  } finally {
    session.release(broken);
  }
}

/** If the connection is lost meanwhile, it is unknown whether the server has committed. */
async function commit(session: Session): Promise<void> {
  let command: string;
  try {
    command = await session.execute("COMMIT");
  } catch (error) {
    const fault = declaredFault(error);
    if (!(fault instanceof UnavailableError)) throw fault;
    throw new UnavailableError(fault.reason, {
      cause: fault,
      message: "the connection was lost during the commit: repeat the request with the same identifier",
    });
  }
  if (command !== "COMMIT")
    throw new Error("the transaction was rolled back: one of its statements had failed");
}

/** Returns why the connection is of no more use, if it is not. */
async function rolledBack(session: Session): Promise<unknown> {
  try {
    await session.execute("ROLLBACK");
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Remembers the first failure that ends the transaction, even where the caller catches it. */
function watch(session: Session): { readonly session: Session; failure(): unknown } {
  let failure: unknown;
  const note = async <R>(question: Promise<R>): Promise<R> => {
    try {
      return await question;
    } catch (error) {
      if (isConflict(error) || error instanceof UnavailableError) failure ??= error;
      throw error;
    }
  };
  return {
    failure: () => failure,
    session: {
      ...session,
      rows: (...question) => note(session.rows(...question)),
      rowsOnce: (...question) => note(session.rowsOnce(...question)),
      change: (...question) => note(session.change(...question)),
      execute: (sql) => note(session.execute(sql)),
    },
  };
}

/** How many transactions run at once: fewer where they meet each other, more where they do not. */
interface ConflictLimiter {
  /** Resolves when the transaction may begin, with what is to be called once it has ended. */
  enter(): Promise<Leave>;
}

export type Leave = (outcome: "done" | "conflict") => void;

/** A longer transaction may never be answered. It no longer counts against the limit, but against the most of all. */
const recentMs = 1_000;

/**
 * Additive increase, multiplicative decrease: transactions over the same records finish sooner one after the other
 * than by running again and again. Others run side by side. Who came first begins first.
 */
export function createConflictLimiter(max: number): ConflictLimiter {
  let limit = max;
  let running = 0;
  let recent = 0;
  const waiting: (() => void)[] = [];

  const hasRoom = (): boolean => running < max && recent < Math.max(1, Math.floor(limit));
  function goOn(): void {
    while (hasRoom()) {
      const next = waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
  function begin(): Leave {
    let isRecent = true;
    running += 1;
    recent += 1;
    const age = (): void => {
      if (isRecent) recent -= 1;
      isRecent = false;
    };
    const timeout = setTimeout(() => {
      age();
      goOn();
    }, recentMs);
    return (outcome) => {
      clearTimeout(timeout);
      age();
      running -= 1;
      limit = outcome === "conflict" ? Math.max(1, limit / 2) : Math.min(max, limit + 1 / limit);
      goOn();
    };
  }

  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(begin()));
        goOn();
      }),
  };
}
