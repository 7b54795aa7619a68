/**
 * Bounds the calls that are worked on at once, where no transport does (`operations/http/limiter.ts`). Others wait in a
 * queue. No address and no peer with many calls keeps others out. A place goes to the address that has fewest calls at
 * work, and there to the peer that has fewest. An eighth of the places is left to addresses without calls at work. If the
 * queue is full, the last call of those that have most is refused.
 */
export interface CallLimiter {
  /** False where the queue is full, or where `signal` aborted before there was a place. `leave` follows each true. */
  enter(of: PeerCalls, signal: AbortSignal): boolean | Promise<boolean>;
  leave(of: PeerCalls): void;
}

/** How many calls a peer has. The limiter counts. */
export interface PeerCalls {
  /** All that come through one proxy have one: then the peers alone are compared. */
  readonly address: string;
  atWork: number;
  waiting: number;
}

interface Waiting {
  readonly of: PeerCalls;
  end(isPermitted: boolean): void;
}

/** The calls of an address. */
interface AddressCalls {
  atWork: number;
  /** A Set keeps the order in which calls came, and gives up a place in the middle at once. */
  readonly waiting: Set<Waiting>;
}

/** The part of all places that is left to addresses without a call at work. */
const reservedShare = 1 / 8;

// oxlint-disable-next-line max-lines-per-function -- every step changes the same counts of calls at work and waiting
export function createCallLimiter(atOnce: number, queued: number): CallLimiter {
  const shared = atOnce - Math.floor(atOnce * reservedShare);
  const addresses = new Map<string, AddressCalls>();
  /** Addresses whose calls wait. One that was given a place goes to the end. */
  const inTurn = new Set<AddressCalls>();
  let inFlight = 0;
  let waiting = 0;

  function callsAt(address: string): AddressCalls {
    const known = addresses.get(address);
    if (known !== undefined) return known;
    const calls = { atWork: 0, waiting: new Set<Waiting>() };
    addresses.set(address, calls);
    return calls;
  }

  function forgetIdle(address: string, { atWork, waiting: own }: AddressCalls): void {
    if (atWork === 0 && own.size === 0) addresses.delete(address);
  }

  function hasPlace({ atWork }: AddressCalls): boolean {
    return inFlight < (atWork === 0 ? atOnce : shared);
  }

  function start(of: PeerCalls, at: AddressCalls): true {
    inFlight += 1;
    at.atWork += 1;
    of.atWork += 1;
    return true;
  }

  function wait(of: PeerCalls, at: AddressCalls, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const place: Waiting = {
        of,
        end(isPermitted) {
          at.waiting.delete(place);
          inTurn.delete(at);
          if (at.waiting.size > 0) inTurn.add(at);
          waiting -= 1;
          of.waiting -= 1;
          signal.removeEventListener("abort", giveUp);
          resolve(isPermitted && start(of, at));
          forgetIdle(of.address, at);
        },
      };
      const giveUp = (): void => place.end(false);
      signal.addEventListener("abort", giveUp, { once: true });
      waiting += 1;
      of.waiting += 1;
      at.waiting.add(place);
      inTurn.add(at);
    });
  }

  /** False where those who have most have no more than this one would. */
  function makeRoom(of: PeerCalls, at: AddressCalls): boolean {
    const most = lastOfMost(inTurn, callsOfAddress);
    const last = most && lastOfMost(most.waiting, (each) => callsOfPeer(each.of));
    if (most === undefined || last === undefined) return false;
    const isMore =
      most === at
        ? callsOfPeer(last.of) > callsOfPeer(of) + 1
        : callsOfAddress(most) > callsOfAddress(at) + 1;
    if (isMore) last.end(false);
    return isMore;
  }

  return {
    enter(of, signal) {
      const at = callsAt(of.address);
      if (hasPlace(at)) return start(of, at);
      if (!signal.aborted && (waiting < queued || makeRoom(of, at))) return wait(of, at, signal);
      forgetIdle(of.address, at);
      return false;
    },
    leave(of) {
      const left = callsAt(of.address);
      inFlight -= 1;
      left.atWork -= 1;
      of.atWork -= 1;
      for (;;) {
        const next = firstOfFewest(inTurn, ({ atWork }) => atWork);
        if (next === undefined || !hasPlace(next)) break;
        firstOfFewest(next.waiting, (each) => each.of.atWork)?.end(true);
      }
      forgetIdle(of.address, left);
    },
  };
}

function callsOfAddress({ atWork, waiting }: AddressCalls): number {
  return atWork + waiting.size;
}

function callsOfPeer({ atWork, waiting }: PeerCalls): number {
  return atWork + waiting;
}

function firstOfFewest<Each>(all: Iterable<Each>, atWorkOf: (each: Each) => number): Each | undefined {
  let found: Each | undefined;
  let fewest = Infinity;
  for (const each of all) {
    const atWork = atWorkOf(each);
    if (atWork >= fewest) continue;
    [found, fewest] = [each, atWork];
    if (atWork === 0) break;
  }
  return found;
}

function lastOfMost<Each>(all: Iterable<Each>, callsOf: (each: Each) => number): Each | undefined {
  let found: Each | undefined;
  let most = -Infinity;
  for (const each of all) {
    const calls = callsOf(each);
    if (calls >= most) [found, most] = [each, calls];
  }
  return found;
}
