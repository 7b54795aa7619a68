import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { createFairQueue } from "../../../contract/queues.ts";
import { UnavailableError, type WriteOptions } from "../../ports/index.ts";
import type { Connection } from "../connection.ts";
import { isLocked } from "../errors.ts";

/** Runs transactions one after the other, several to a commit. */
export interface GroupCommit {
  /**
   * Runs `work` alone, inside a transaction. Settles once the commit it is part of is durable: resolves with what
   * `work` gave, or rejects with what it threw, its changes undone. Rejects if the commit fails.
   */
  transact<T>(work: () => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Resolves once everything asked for has settled; nothing more is taken. */
  close(): Promise<void>;
}

interface Member {
  /** When it was asked for, by the clock of `monotonicMs`. */
  readonly askedAtMs: number;
  /** Whether it may be answered before the disk has it. */
  readonly isRepeatable: boolean;
  /** Runs the transaction's work. Throws only if the whole group is lost with it. */
  run(): Promise<void>;
  /** Tells the caller how `run` ended. */
  settle(): void;
  /** Tells the caller that nothing was committed. */
  fail(cause: unknown): void;
}

interface GroupRun {
  /** Whether another program holds the lock. */
  readonly isLocked: boolean;
  /** Whether others had a turn of the event loop. */
  readonly hasTurned: boolean;
  readonly lostTo?: unknown;
}

/** Bounds of a group: how many transactions wait for one commit, and how long the first of them may wait. */
const groupMembersMax = 256;
const groupOpenMsMax = 20;

/** How long a transaction waits while another program holds the lock, and how often the lock is asked for. */
export const lockWaitMsDefault = 2_000;
const lockAskedEveryMs = 10;

/**
 * The costly part of a commit is waiting for the disk. So transactions that are asked for during one turn of the
 * event loop share a commit: each runs in a savepoint, and a failing one is undone alone. None is answered before
 * the commit, not even a failing one: it may have failed because of what an earlier member wrote. A group of
 * repeatable transactions does not wait for the disk, and takes no others. Callers have turns: one who asks for much waits
 * behind those who ask for little. From group to group others have a turn of the event loop: reads, and calls that arrive.
 */
// oxlint-disable-next-line max-lines-per-function -- every step changes the state of the group that commits next
export function createGroupCommit(options: {
  readonly connection: Connection;
  /** Called between two commits, with why the one before was lost, if it was. What it gives is waited for. */
  readonly betweenCommits: (lostTo?: unknown) => Promise<void> | undefined;
  /** Throws while nothing must be written. */
  readonly beforeBegin?: () => void;
  /** Throws where nothing must be committed. */
  readonly beforeCommit: () => void;
  readonly afterCommit: () => void;
  /** A clock that never goes back, by which a group stays open and a transaction waits. */
  readonly monotonicMs?: () => number;
  readonly lockWaitMs?: number;
  /** Called with why a group was lost as a whole. */
  readonly onLost?: (error: unknown) => void;
}): GroupCommit {
  const { connection, monotonicMs = () => performance.now(), lockWaitMs = lockWaitMsDefault } = options;
  const queue = createFairQueue<Member>({ perCallerMax: Infinity, totalMax: Infinity });
  /** How many of the queue are not repeatable. */
  let lastingQueued = 0;
  let draining: Promise<void> | undefined;
  let isClosed = false;

  return {
    transact: <T>(work: () => Promise<T>, { isRepeatable = false, caller = "" }: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        if (isClosed) throw new Error("the store is closed");
        const askedAtMs = monotonicMs();
        queue.push(caller, { isRepeatable, askedAtMs, ...memberOf(connection, work, resolve, reject) });
        if (!isRepeatable) lastingQueued += 1;
        draining ??= drain();
      }),
    close: async () => {
      isClosed = true;
      await draining;
    },
  };

  async function drain(): Promise<void> {
    while (queue.size > 0) {
      const { isLocked: mustWait, hasTurned, lostTo } = await runGroup();
      if (mustWait) {
        if (queue.size > 0) await lockMayBeFree();
        continue;
      }
      await options.betweenCommits(lostTo);
      if (!hasTurned && queue.size > 0) await eventLoopTurn();
    }
    draining = undefined;
  }

  async function runGroup(): Promise<GroupRun> {
    const members: Member[] = [];
    let hasTurned = false;
    const isRepeatable = lastingQueued === 0;
    try {
      if (begin(members, isRepeatable) === "locked") return { isLocked: true, hasTurned };
      const closesAt = monotonicMs() + groupOpenMsMax;
      const isOpen = (): boolean =>
        members.length < groupMembersMax &&
        monotonicMs() < closesAt &&
        (!isRepeatable || lastingQueued === 0);
      await runQueued(members, isOpen);
      if (isOpen()) {
        hasTurned = true;
        await eventLoopTurn();
      }
      await runQueued(members, isOpen);
      options.beforeCommit();
      connection.execute("COMMIT");
      options.afterCommit();
    } catch (error) {
      rollBack();
      options.onLost?.(error);
      for (const member of members) member.fail(error);
      return { isLocked: false, hasTurned, lostTo: error };
    }
    for (const member of members) member.settle();
    return { isLocked: false, hasTurned };
  }

  /**
   * If the store cannot be written now, rejects every transaction in the queue. If another program holds the lock, rejects
   * those that have waited for it long enough.
   */
  function begin(members: Member[], isRepeatable: boolean): "begun" | "locked" {
    try {
      options.beforeBegin?.();
      // One that could not be rolled back on a failing disk.
      if (connection.isTransaction) connection.execute("ROLLBACK");
      connection.waitForDisk(!isRepeatable);
      connection.execute("BEGIN IMMEDIATE");
      return "begun";
    } catch (error) {
      if (isLocked(error)) {
        refuseLate(error);
        return "locked";
      }
      for (let member = next(); member !== undefined; member = next()) members.push(member);
      throw error;
    }
  }

  function refuseLate(error: unknown): void {
    const latestMs = monotonicMs() - lockWaitMs;
    const nextLate = (): Member | undefined => next((_caller, { askedAtMs }) => askedAtMs <= latestMs);
    let member = nextLate();
    if (member !== undefined) options.onLost?.(error);
    for (; member !== undefined; member = nextLate()) member.fail(error);
  }

  /** Takes the one whose turn it is, of those whose caller's first may go. */
  function next(mayGo: (caller: string, first: Member) => boolean = () => true): Member | undefined {
    const member = queue.shift(mayGo)?.item;
    if (member?.isRepeatable === false) lastingQueued -= 1;
    return member;
  }

  /** Where even that fails, the next group tries it first. */
  function rollBack(): void {
    try {
      if (connection.isTransaction) connection.execute("ROLLBACK");
    } catch (error) {
      options.onLost?.(error);
    }
  }

  async function runQueued(members: Member[], isOpen: () => boolean): Promise<void> {
    while (isOpen()) {
      const member = next();
      if (member === undefined) return;
      members.push(member);
      await member.run();
    }
  }
}

/** Resolves when it is time to ask again: SQLite itself would wait for a lock in the same turn, and hold up everything else. */
export function lockMayBeFree(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, lockAskedEveryMs));
}

function memberOf<T>(
  connection: Connection,
  work: () => Promise<T>,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Omit<Member, "isRepeatable" | "askedAtMs"> {
  let settle: (() => void) | undefined;
  return {
    run: async () => {
      connection.execute("SAVEPOINT member");
      try {
        const value = await work();
        settle = () => resolve(value);
      } catch (error) {
        // A disk that refuses one member's writes refuses the commit: no member of a part of a group succeeds.
        if (!connection.isTransaction || error instanceof UnavailableError) throw error;
        connection.execute("ROLLBACK TO member");
        settle = () => reject(error);
      }
      connection.execute("RELEASE member");
    },
    settle: () => settle?.(),
    fail: (cause) => reject(lostWith(cause)),
  };
}

/** The error of each member of a group that was not committed. */
function lostWith(cause: unknown): Error {
  const message = "the store could not commit: nothing was changed";
  return cause instanceof UnavailableError
    ? new UnavailableError(cause.reason, { cause, message })
    : new Error(message, { cause });
}
