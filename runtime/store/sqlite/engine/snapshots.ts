import { setTimeout } from "node:timers/promises";
import type { Reads } from "../../ports/index.ts";
import { readsOf, type ReadEngine } from "../../common/engine.ts";
import type { Sealing } from "../../common/sealing.ts";
import type { Connection } from "../connection.ts";
import { readEngine, threadedEngine } from "./engine.ts";
import type { Readers } from "../reading/readers.ts";
import { oncePer } from "../../../contract/values.ts";
import type { ColumnValue, QueryShape } from "../../tables/index.ts";

/** Consistent views for readers, apart from the connection that writes. */
export interface Snapshots {
  /** Runs `work` over the state of the last commit before it asked its first question. */
  read<T>(work: (view: Reads, connection: Connection) => Promise<T>): Promise<T>;
  /** To be called before a commit: releases an unused snapshot, so that the log can be emptied. */
  beforeCommit(): void;
  /** To be called after a commit: later readers are shown what it wrote. */
  afterCommit(): void;
  /**
   * Shows later readers a snapshot of their own. Resolves to true once those of now are done, or to false when they
   * have taken `waitMsMax`.
   */
  renewed(waitMsMax: number): Promise<boolean>;
  /** Resolves once the readers are done. */
  close(): Promise<void>;
}

interface Snapshot {
  readonly connection: Connection;
  readonly answers: KeptAnswers;
  readonly view: Reads;
  /** Which commit it shows. */
  commit: number;
  readers: number;
  /** Readers that threads read for, who come back. */
  away: number;
  /** How many questions it was asked. */
  asked: number;
  /** Resolved while it has no reader. */
  left: PromiseWithResolvers<void>;
}

interface Reader {
  readonly view: Reads;
  /** It may have asked what it asks at once. */
  began(): void;
  /** Does nothing where it is not away. */
  comeBack(): void;
}

const idleMax = 4;

/**
 * A snapshot is a connection inside a read transaction, which SQLite's write-ahead log shows one commit, whatever is
 * written meanwhile. Beginning and ending it costs more than a point read. So readers share one as long as it is the
 * state of the last commit. Where `isOnlyWriter` is false another process may have committed, and each reader begins
 * its own.
 */
// oxlint-disable-next-line max-lines-per-function -- every step changes the snapshots that are open
export function createSnapshots(options: {
  readonly open: () => Connection;
  readonly sealing: Sealing;
  readonly isOnlyWriter: boolean;
  /** Where long reads are done; absent: here. */
  readonly readers?: Readers;
}): Snapshots {
  const { readers } = options;
  const idle: Snapshot[] = [];
  const inUse = new Set<Snapshot>();
  /** Settled when a reader comes back. */
  const returns = new Set<Promise<void>>();
  let current: Snapshot | undefined;
  let commit = 0;
  let isClosed = false;

  return {
    read: async (work) => {
      if (isClosed) throw new Error("the store is closed");
      const snapshot = joined();
      const reader = readers === undefined ? undefined : readerOf(snapshot);
      try {
        const working = work(reader?.view ?? snapshot.view, snapshot.connection);
        reader?.began();
        return await working;
      } finally {
        reader?.comeBack();
        leave(snapshot);
      }
    },
    beforeCommit: letGo,
    afterCommit: () => {
      commit += 1;
    },
    renewed: async (waitMsMax) => {
      letGo();
      current = undefined;
      const waiting = Promise.all([...inUse].map(({ left }) => left.promise)).then(() => true);
      return Promise.race([waiting, setTimeout(waitMsMax, false, { ref: false })]);
    },
    close: async () => {
      isClosed = true;
      while (inUse.size + returns.size > 0)
        await Promise.all([...returns, ...[...inUse].map(({ left }) => left.promise)]);
      letGo();
      for (const { connection } of idle) connection.close();
    },
  };

  /** Ends the current snapshot if it has no reader. */
  function letGo(): void {
    if (current?.readers !== 0) return;
    end(current);
    current = undefined;
  }

  function joined(): Snapshot {
    const isLatest = options.isOnlyWriter && current?.commit === commit;
    if (current === undefined || !isLatest) current = begun(idle.pop() ?? opened());
    enter(current);
    return current;
  }

  function enter(snapshot: Snapshot): void {
    if (snapshot.readers === 0) snapshot.left = Promise.withResolvers();
    snapshot.readers += 1;
    inUse.add(snapshot);
  }

  /**
   * A reader whose first question is a list leaves while a thread reads for it. The thread has its own snapshot, and
   * the reader has seen nothing of this one. Lists may wait long. While writers hold them back so that the log can
   * start over, a shared snapshot would keep it from that.
   */
  function readerOf(snapshot: Snapshot): Reader {
    const askedBefore = snapshot.asked;
    let isBeginning = true;
    let returns: (() => void) | undefined;
    const comeBack = (): void => {
      const comesBack = returns;
      returns = undefined;
      comesBack?.();
    };
    return {
      began: () => {
        isBeginning = false;
      },
      comeBack,
      view: readsOf({
        ...snapshot.answers.engine,
        list: async (listing, asked) => {
          const isFirst = isBeginning && snapshot.asked === askedBefore;
          isBeginning = false;
          const answer = snapshot.answers.engine.list(listing, asked);
          if (isFirst) returns = goAway(snapshot);
          try {
            return await answer;
          } finally {
            if (isFirst) comeBack();
          }
        },
      }),
    };
  }

  /** Gives what brings the reader back: to a later state where the snapshot has ended since. */
  function goAway(snapshot: Snapshot): () => void {
    const returned = Promise.withResolvers<void>();
    returns.add(returned.promise);
    snapshot.away += 1;
    leave(snapshot);
    return () => {
      snapshot.away -= 1;
      returns.delete(returned.promise);
      returned.resolve();
      const at = idle.indexOf(snapshot);
      if (at >= 0) {
        idle.splice(at, 1);
        begun(snapshot);
      }
      enter(snapshot);
    };
  }

  function begun(snapshot: Snapshot): Snapshot {
    snapshot.answers.forget();
    snapshot.connection.execute("BEGIN");
    snapshot.commit = commit;
    return snapshot;
  }

  function engineOf(connection: Connection): ReadEngine {
    return readers === undefined
      ? readEngine(connection, options.sealing)
      : threadedEngine(connection, readers, options.sealing);
  }

  function opened(): Snapshot {
    const connection = options.open();
    const onAsked = (): void => {
      snapshot.asked += 1;
    };
    const answers = keepAnswers(engineOf(connection), onAsked);
    const snapshot: Snapshot = {
      connection,
      answers,
      view: readsOf(answers.engine),
      commit,
      readers: 0,
      away: 0,
      asked: 0,
      left: Promise.withResolvers(),
    };
    return snapshot;
  }

  function leave(snapshot: Snapshot): void {
    snapshot.readers -= 1;
    if (snapshot.readers > 0) return;
    inUse.delete(snapshot);
    snapshot.left.resolve();
    if (snapshot === current) {
      if (options.isOnlyWriter && snapshot.commit === commit) return;
      current = undefined;
    }
    end(snapshot);
  }

  function end(snapshot: Snapshot): void {
    try {
      if (snapshot.connection.isTransaction) snapshot.connection.execute("COMMIT");
    } catch {
      // A file that fails even then is of no use to the next reader, who opens it anew.
      snapshot.connection.close();
      return;
    }
    if (idle.length < idleMax || snapshot.away > 0) idle.push(snapshot);
    else snapshot.connection.close();
  }
}

/** An engine that looks the records that most operations need up only once. */
interface KeptAnswers {
  readonly engine: ReadEngine;
  /** To be called when the engine comes to show another state. */
  forget(): void;
}

const answersMax = 1_000;

/**
 * Keeps the answers to queries with `isKept`. A snapshot never changes, and decoding a wide record costs more than
 * the rest of a small operation. `onAsked` is called at each question, but not at lists.
 */
function keepAnswers(engine: ReadEngine, onAsked: () => void): KeptAnswers {
  /** The state that is shown: tables keep its answers by this object. */
  let state = {};
  return {
    engine: {
      one: (query, values) => {
        onAsked();
        if (query.isKept === undefined) return engine.one(query, values);
        const answers = query.table.answersOf(state);
        const name = nameOf(query, values);
        const known = answers.get(name);
        if (known !== undefined) return known[0];
        const found = engine.one(query, values);
        if (!(found instanceof Promise)) keep(answers, name, found === undefined ? [] : [found]);
        return found;
      },
      many: (query, values) => {
        onAsked();
        if (query.isKept === undefined || query.part !== undefined) return engine.many(query, values);
        const answers = query.table.answersOf(state);
        const name = nameOf(query, values);
        const known = answers.get(name);
        if (known !== undefined) return known;
        const found = engine.many(query, values);
        if (!(found instanceof Promise)) keep(answers, name, found);
        return found;
      },
      count: (query, values) => {
        onAsked();
        return engine.count(query, values);
      },
      list: (listing, asked) => engine.list(listing, asked),
    },
    forget: () => {
      state = {};
    },
  };
}

function keep<R>(answers: Map<string, readonly R[]>, name: string, found: readonly R[]): void {
  if (answers.size === answersMax) answers.clear();
  answers.set(name, found);
}

const columnsOf = oncePer(({ where }: QueryShape) => where.map(({ column }) => column.name).join());

function nameOf(query: QueryShape, values: readonly ColumnValue[]): string {
  return [columnsOf(query), ...values].join("\n");
}
