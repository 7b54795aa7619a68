import type { Connection } from "./connection.ts";
import { loopTurn } from "./loop-turn.ts";
import { paceReads } from "./paced-reads.ts";
import { createReadBudget } from "./read-budget.ts";
import { createReadTurns } from "./read-turns.ts";

/**
 * Decides when the requests of a connection are begun: a few of each connection at a time, so that one that pipelines
 * thousands shares with the others. The rest waits parsed, then unread: reading pauses, which TCP passes on.
 */
export interface RequestGate {
  /** Follows once for each accepted connection, before anything is read from it. */
  add(connection: Connection): void;
  /**
   * Begins a request now or later; `done` must follow once it was answered, unless its connection was dropped. An
   * `urgent` one that comes alone is begun at once. `overflow`: too many wait in all, refuse this one and close, and no
   * `done` follows; `ignored`: the connection has had its last answer.
   */
  take(connection: Connection, begin: () => void, urgent?: boolean): "taken" | "overflow" | "ignored";
  done(connection: Connection): void;
  /** The connection is gone: forgets all its requests. Node says nothing of responses that wait for others to be sent. */
  drop(connection: Connection): void;
  readonly outstanding: number;
  /** Requests answered so far. */
  readonly answered: number;
}

export interface GateLimits {
  /** Requests of one connection worked on at once. */
  readonly perConnectionMax: number;
  /** Whether so many pipelined calls wait that no more are read. */
  readonly isBusy?: () => boolean;
  /** How many requests of a line may be begun in a turn. Default: as many as usual. */
  readonly perTurn?: (usual: number, inBurst: number) => number;
  /** Requests parsed and unanswered in all. */
  readonly outstandingMax: number;
}

/** Requests that are begun in one turn of the event loop, over all connections: those that come alone, and pipelined ones. */
const singlesPerTurn = 32;
const pipelinedPerTurn = 16;
/** The same while many connections are accepted. */
const inBurstMax = 1;

/** While calls that came alone are at work, pipelined ones are begun in every fourth turn. */
const givesWayFor = 4;
/** For so many turns after one that came alone, pipelined ones are begun one by one, and when all that came was read. */
const shortTurnsAfterSingle = 64;

/** Connections that wait until one of their requests may be begun. */
interface Line {
  readonly waiting: Set<Connection>;
  hasRoom(turn: number): boolean;
  started(turn: number): void;
}

function createLine(
  perTurnMax: number,
  perTurn: (usual: number, inBurst: number) => number,
  givesWay: () => boolean,
): Line {
  let startedIn = -Infinity;
  let ofTurn = -1;
  let count = 0;
  const see = (turn: number): void => {
    if (turn === ofTurn) return;
    ofTurn = turn;
    count = 0;
  };
  return {
    waiting: new Set(),
    hasRoom(turn) {
      see(turn);
      if (startedIn !== turn && turn - startedIn < givesWayFor && givesWay()) return false;
      return count < perTurn(perTurnMax, inBurstMax);
    },
    started(turn) {
      see(turn);
      startedIn = turn;
      count += 1;
    },
  };
}

/** The gate of one port. */
// oxlint-disable-next-line max-lines-per-function -- one state machine over the counts of each connection; every request passes it
export function createRequestGate(limits: GateLimits): RequestGate {
  const { perConnectionMax, isBusy = () => false, perTurn = (usual) => usual, outstandingMax } = limits;
  const turns = createReadTurns(() => pipelined.waiting.size < pipelinedPerTurn && !isBusy(), readOn);
  const budget = createReadBudget(resume, perTurn);
  const singles = createLine(singlesPerTurn, perTurn, () => false);
  const pipelined = createLine(pipelinedPerTurn, perTurn, () => singlesAtWork > 0);
  let scheduled = false;
  let singlesAtWork = 0;
  let lastSingle = -Infinity;
  let outstanding = 0;
  let answered = 0;

  function isBesideSingles(): boolean {
    return singlesAtWork > 0 || loopTurn() - lastSingle < shortTurnsAfterSingle;
  }

  /** Where connections wait to be read, or others have single calls, each gets one request at a time. */
  function shareOf(): number {
    return turns.isWaiting() || isBesideSingles() ? 1 : perConnectionMax;
  }

  function mayStart({ started, startedInTurn }: Connection): boolean {
    const share = shareOf();
    return started < share && startedInTurn < share;
  }

  function start(connection: Connection, begin: () => void, line: Line): void {
    connection.started += 1;
    connection.startedInTurn += 1;
    line.started(loopTurn());
    if (line === singles) {
      singlesAtWork += 1;
      connection.alone = true;
    }
    begin();
  }

  /** The call of a connection that came alone is answered, or is alone no longer. */
  function notAlone(connection: Connection): void {
    if (connection.alone) singlesAtWork -= 1;
    connection.alone = false;
  }

  function schedule(connection: Connection, line: Line): void {
    line.waiting.add(connection);
    if (scheduled) return;
    scheduled = true;
    setImmediate(startWaiting);
  }

  /** Once a turn: as many of each line as one turn may have. */
  function startWaiting(): void {
    scheduled = false;
    for (const line of [singles, pipelined]) {
      // Each connection gets as many as it may have, then the others have their turn.
      let left = line.waiting.size;
      for (const connection of line.waiting) {
        if (left === 0 || !line.hasRoom(loopTurn())) break;
        left -= 1;
        line.waiting.delete(connection);
        connection.startedInTurn = 0;
        while (mayStart(connection) && line.hasRoom(loopTurn())) {
          const begin = connection.parked.shift();
          if (begin === undefined) break;
          start(connection, begin, line);
        }
        if (connection.parked.length > 0 && connection.started < shareOf()) schedule(connection, pipelined);
        else release(connection);
      }
    }
    for (const line of [singles, pipelined]) {
      for (const connection of line.waiting) return schedule(connection, line);
    }
  }

  function hold(connection: Connection): void {
    if (connection.outstanding <= shareOf()) return;
    connection.held = true;
    connection.socket.pause();
  }

  /** Reads no further where enough requests of a connection are at work, unless the last one is not whole. */
  function holdWhole(connection: Connection): void {
    if (connection.held || connection.outstanding < shareOf() || !isWhole(connection)) return;
    connection.held = true;
    connection.socket.pause();
  }

  function release(connection: Connection): void {
    if (!connection.held || connection.parked.length > 0) return;
    const { outstanding: count } = connection;
    // The rest of the body of the last request may still be unread.
    if (count < shareOf() || (count === shareOf() && !isWhole(connection))) turns.add(connection);
  }

  function takePipelined(connection: Connection, begin: () => void): "taken" | "overflow" {
    connection.pipelined = true;
    notAlone(connection);
    if (outstanding > outstandingMax) {
      // Not among those at work: its response is sent after those of the requests before it, which wait for room.
      connection.outstanding -= 1;
      outstanding -= 1;
      connection.finished = true;
      connection.held = true;
      connection.socket.pause();
      return "overflow";
    }
    if (
      !isBesideSingles() &&
      connection.parked.length === 0 &&
      mayStart(connection) &&
      pipelined.hasRoom(loopTurn())
    )
      start(connection, begin, pipelined);
    else {
      connection.parked.push(begin);
      if (connection.started < shareOf()) schedule(connection, pipelined);
    }
    hold(connection);
    return "taken";
  }

  return {
    add(connection) {
      const spend = (bytes: number): void => {
        if (connection.pipelined) holdWhole(connection);
        budget.spend(connection, bytes);
      };
      connection.unpace = paceReads(connection.socket, () => isPaused(connection), spend);
    },
    take(connection, begin, urgent = false) {
      if (connection.finished) return "ignored";
      const now = loopTurn();
      const isPipelined = connection.pipelined || connection.outstanding > 0 || connection.turn === now;
      if (connection.turn !== now) connection.startedInTurn = 0;
      connection.turn = now;
      connection.outstanding += 1;
      connection.requestsTotal += 1;
      connection.overdue = false;
      outstanding += 1;
      if (isPipelined) return takePipelined(connection, begin);
      if (urgent || singles.hasRoom(now)) start(connection, begin, singles);
      else {
        connection.parked.push(begin);
        schedule(connection, singles);
      }
      return "taken";
    },
    done(connection) {
      if (connection.dropped) return;
      if (connection.alone) lastSingle = loopTurn();
      notAlone(connection);
      connection.outstanding -= 1;
      connection.started -= 1;
      outstanding -= 1;
      answered += 1;
      if (connection.pipelined) {
        if (connection.parked.length > 0) schedule(connection, pipelined);
        else release(connection);
      } else connection.last = undefined;
      turns.next();
    },
    drop(connection) {
      notAlone(connection);
      connection.dropped = true;
      outstanding -= connection.outstanding;
      connection.outstanding = 0;
      connection.parked.clear();
    },
    get outstanding() {
      return outstanding;
    },
    get answered() {
      return answered;
    },
  };
}

function isWhole({ last }: Connection): boolean {
  return last?.request.complete !== false;
}

function readOn(connection: Connection): void {
  connection.held = false;
  resume(connection);
}

/** Reads on with a connection, unless there is a reason not to. */
function resume(connection: Connection): void {
  if (!connection.dropped && !isPaused(connection)) connection.socket.resume();
}

function isPaused(connection: Connection): boolean {
  return connection.held || connection.overBudget || isHeldByNode(connection);
}

/**
 * Whether Node itself has paused the connection, because its answers are not read; it resumes by itself. Node breaks an
 * assertion of its own, and that ends the process, where such a connection is read all the same.
 */
function isHeldByNode({ socket }: Connection): boolean {
  return Reflect.get(socket, "_paused") === true;
}
