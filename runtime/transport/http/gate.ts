import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Connection, Valve } from "./connections.ts";

/**
 * Shares a port between its connections. Each has a few calls at work; with more than these unanswered it is paused, which
 * TCP passes on to its caller. It is read again when no more are unanswered, and few calls of others wait. Calls that
 * came in the same slice wait for their turn.
 */
export interface RequestGate {
  /** Follows once for each accepted connection. */
  add(connection: Connection): void;
  /**
   * Begins a request now or later; `done` must follow once it was answered, unless its connection was dropped.
   * `overflow`: too many wait in all, refuse this one and close, and no `done` follows; `ignored`: the connection has
   * had its last answer.
   */
  take(connection: Connection, begin: () => void): "taken" | "overflow" | "ignored";
  done(connection: Connection): void;
  /** The connection is gone: forgets all its requests. Node says nothing of responses that wait for others to be sent. */
  drop(connection: Connection): void;
  readonly outstanding: number;
  /** Requests answered so far. */
  readonly answered: number;
}

/** So many calls that waited are begun in one turn of the event loop, over all connections. */
const begunPerTurn = 8;
/**
 * Node accepts one connection in a turn of the event loop. While many come in, few calls are begun in a turn. A
 * health check on a connection behind them would wait for all of them.
 */
const begunWhileAccepting = 1;
const manyConnections = 16;
/** Turns after an accepted connection in which the next one is accepted, if one waits. */
const turnsToAccept = 2;

export interface GateLimits {
  /** Requests of one connection worked on at once. */
  readonly perConnectionMax: number;
  /** Requests parsed and unanswered in all. */
  readonly outstandingMax: number;
}

/** While so many calls wait for others of their connections, no paused connection is read. */
const parkedMax = 1_024;
/** So many paused connections are read again in one turn of the event loop: what they send is counted in the next one. */
const readPerTurn = 16;

/** The gate of one port. */
// oxlint-disable-next-line max-lines-per-function -- one state machine over the counts of each connection; every request passes it
export function createRequestGate({ perConnectionMax, outstandingMax }: GateLimits): RequestGate {
  /** Connections with calls that may begin. */
  const ready = new Set<Connection>();
  /** Paused connections that may be read again, in order. */
  const unread = new Set<Connection>();
  /** Connections that came in one after the other, and the turns since the last one. */
  let arrivals = 0;
  let quietTurns = 0;
  let isScheduled = false;
  let parked = 0;
  let outstanding = 0;
  let answered = 0;

  const isAccepting = (): boolean => arrivals >= manyConnections;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  }

  function turn(): void {
    isScheduled = false;
    quietTurns += 1;
    if (quietTurns > turnsToAccept) arrivals = 0;
    readOn();
    let left = isAccepting() ? begunWhileAccepting : begunPerTurn;
    for (const connection of ready) {
      if (left <= 0) break;
      ready.delete(connection);
      left -= beginParked(connection, left);
    }
    if (ready.size > 0 || arrivals > 0) schedule();
  }

  function beginParked(connection: Connection, most: number): number {
    let begun = 0;
    for (; begun < most && connection.atWork < perConnectionMax; begun += 1) {
      const begin = connection.parked.shift();
      if (begin === undefined) break;
      parked -= 1;
      connection.atWork += 1;
      begin();
    }
    if (begun === most && connection.parked.length > 0) ready.add(connection);
    return begun;
  }

  function readOn(): void {
    let left = readPerTurn;
    for (const connection of unread) {
      if (parked >= parkedMax) return;
      if (left === 0) return schedule();
      left -= 1;
      unread.delete(connection);
      connection.paused = false;
      connection.valve.open();
    }
  }

  return {
    add(connection) {
      arrivals += 1;
      quietTurns = 0;
      schedule();
      connection.valve = createValve(connection.socket);
    },
    take(connection, begin) {
      if (connection.finished) return "ignored";
      connection.pipelined ||= connection.last?.response.writableEnded === false;
      connection.requestsTotal += 1;
      connection.overdue = false;
      if (connection.pipelined && outstanding >= outstandingMax) {
        connection.finished = true;
        pause(connection);
        return "overflow";
      }
      connection.outstanding += 1;
      outstanding += 1;
      const mayBegin = connection.kind === "reserve" || !isAccepting();
      if (mayBegin && connection.atWork < perConnectionMax && connection.parked.length === 0) {
        connection.atWork += 1;
        begin();
      } else {
        connection.parked.push(begin);
        parked += 1;
        if (!mayBegin) ready.add(connection);
      }
      if (connection.outstanding > perConnectionMax && !connection.paused) pause(connection);
      return "taken";
    },
    done(connection) {
      if (connection.dropped) return;
      connection.outstanding -= 1;
      connection.atWork -= 1;
      outstanding -= 1;
      answered += 1;
      if (connection.parked.length > 0) ready.add(connection);
      if (connection.paused && connection.outstanding <= perConnectionMax && !connection.finished)
        unread.add(connection);
      if (ready.size + unread.size > 0) schedule();
    },
    drop(connection) {
      connection.dropped = true;
      ready.delete(connection);
      unread.delete(connection);
      parked -= connection.parked.length;
      outstanding -= connection.outstanding;
      connection.outstanding = 0;
      connection.parked.clear();
      if (unread.size > 0) schedule();
    },
    get outstanding() {
      return outstanding;
    },
    get answered() {
      return answered;
    },
  };
}

function pause(connection: Connection): void {
  connection.paused = true;
  connection.valve.shut();
}

/** So much of what was read is parsed in one go. Node reads 64 KiB, which may be 2,500 requests. */
const sliceBytes = 1_024;

/** Until a listener is added, Node parses what it reads without handing it to the socket. */
const listen = (): void => undefined;

/**
 * A valve for what a socket reads: it flows while neither Node nor the gate stops it. Node resumes the socket with each
 * request that is whole, and stops it where answers are not read, and must not get anything then.
 */
function createValve(socket: Socket): Valve {
  const push = socket.push.bind(socket);
  const pause = socket.pause.bind(socket);
  const resume = socket.resume.bind(socket);
  let isShut = false;
  let isStoppedByNode = false;
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
    let isWanted = true;
    for (let at = 0; at < chunk.length && !socket.destroyed; at += sliceBytes)
      isWanted = push(chunk.subarray(at, at + sliceBytes));
    return isWanted;
  };
  socket.pause = () => {
    isStoppedByNode = true;
    return pause();
  };
  socket.resume = () => {
    isStoppedByNode = false;
    return isShut ? socket : resume();
  };
  socket.on("data", listen);
  return {
    shut() {
      isShut = true;
      pause();
    },
    open() {
      isShut = false;
      if (!isStoppedByNode) resume();
    },
    remove() {
      socket.off("data", listen);
      for (const name of ["push", "pause", "resume"]) Reflect.deleteProperty(socket, name);
    },
  };
}

/** What an application learns of the connections of its server. */
export interface CallConnections {
  /** Whether the connection has had several requests outstanding: its calls queue behind those of others. */
  isPipelined(request: IncomingMessage): boolean;
  /** Whether the response to this request is the last of its connection. */
  isLast(request: IncomingMessage): false | Promise<boolean>;
}

/** Turns of the event loop in which whatever a socket holds has been read. */
const turnsToRead = 2;

/**
 * Whether the caller has sent nothing since. Connections that pipeline are ended when they are quiet, because more of
 * their requests may be on its way.
 */
export async function isLastResponse({ socket, pipelined, outstanding }: Connection): Promise<boolean> {
  if (pipelined || outstanding > 1) return false;
  const { bytesRead } = socket;
  for (let turn = 0; turn < turnsToRead; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return socket.bytesRead === bytesRead;
}
