import type { Clock, FullLaneRecord, LaneEventRecord, Writes } from "../../store/ports/index.ts";
import { subscriptionIdsOf, countOpenOf } from "../model/stored-deliveries.ts";
import { fullLaneByKey, fullLanes } from "../../store/tables/index.ts";

export type Lane = Pick<LaneEventRecord, "lane" | "institutionId">;

/**
 * How many more deliveries each lane may have waiting. Beyond that its events stay in the lane: nothing is dropped,
 * and no call is refused. Counted seldom, since counting takes a while: several processes may exceed the limit together,
 * each by a sixteenth.
 */
export interface LaneRooms {
  of(tx: Writes, lane: Lane): Promise<number>;
  /** The transaction adds so many. Notes that the lane is full, and tells its user by mail, or that it is no longer. */
  added(tx: Writes, lane: Lane, count: number): Promise<void>;
}

export interface LaneRoomsOptions {
  readonly clock: Clock;
  /** Deliveries of one user that may wait. */
  readonly waitingPerUserMax: number;
  /** Writes a mail to the user whose lane is full. */
  mailUser(tx: Writes, userName: string): Promise<void>;
}

interface LaneRoom {
  left: number;
  /** Deliveries that this process may add before it counts again what others have added. */
  uncounted: number;
  readonly countedAtMs: number;
  /** It counts again after this. */
  keptMs: number;
  /** Whether the store says that the lane has room. */
  isNotedFree: boolean;
}

/** A lane with room is counted again after this. One that is full after this, then after twice as long each time it still is. */
const countedEveryMs = 60_000;
const fullCountedMs = 5_000;
/**
 * This share of the limit, and at least so many, are added without counting again. A full lane goes on when it has
 * room for this share. Deliveries that arrive one by one would fill it again at once, and counting looks at all that
 * wait.
 */
const uncountedShare = 16;
const uncountedMin = 256;
const mailedEveryMs = 24 * 60 * 60 * 1_000;

export function createLaneRooms(options: LaneRoomsOptions): LaneRooms {
  const { clock, waitingPerUserMax } = options;
  const rooms = new Map<string, LaneRoom>();

  async function roomOf(tx: Writes, { lane, institutionId }: Lane): Promise<LaneRoom> {
    const known = rooms.get(lane);
    const nowMs = clock.now();
    if (known !== undefined && isCurrent(known, nowMs)) return known;
    const ids = await subscriptionIdsOf(tx, institutionId, lane);
    const share = Math.floor(waitingPerUserMax / uncountedShare);
    const found = Math.max(waitingPerUserMax - (await countOpenOf(tx, ids)), 0);
    const left = known?.left === 0 && found < share ? 0 : found;
    const counted = {
      left,
      uncounted: Math.max(share, uncountedMin),
      countedAtMs: nowMs,
      keptMs: keptAfter(known, left),
      isNotedFree: known?.isNotedFree ?? false,
    };
    rooms.set(lane, counted);
    return counted;
  }

  return {
    of: async (tx, lane) => (await roomOf(tx, lane)).left,
    async added(tx, lane, count) {
      const room = await roomOf(tx, lane);
      if (count > 0 && room.left <= count) room.keptMs = fullCountedMs;
      room.left = Math.max(room.left - count, 0);
      room.uncounted -= count;
      const isFull = room.left === 0;
      if (!isFull && room.isNotedFree) return;
      const noted = await tx.one(fullLaneByKey, lane.lane);
      if (isFull) await noteFull(tx, lane, noted, options);
      else if (noted?.fullSince !== undefined) {
        const { fullSince: _since, ...free } = noted;
        await tx.put(fullLanes, free);
      }
      // Noted only once the store says so: the transaction may not be committed.
      room.isNotedFree = !isFull && noted?.fullSince === undefined;
    },
  };
}

function isCurrent({ left, uncounted, countedAtMs, keptMs }: LaneRoom, nowMs: number): boolean {
  return Math.abs(nowMs - countedAtMs) < keptMs && (left === 0 || uncounted > 0);
}

function keptAfter(known: LaneRoom | undefined, left: number): number {
  if (left > 0) return countedEveryMs;
  return known?.left === 0 ? Math.min(2 * known.keptMs, countedEveryMs) : fullCountedMs;
}

async function noteFull(
  tx: Writes,
  { lane, institutionId }: Lane,
  noted: FullLaneRecord | undefined,
  { clock, mailUser }: LaneRoomsOptions,
): Promise<void> {
  if (noted?.fullSince !== undefined) return;
  const nowMs = clock.now();
  const isMailDue = noted === undefined || Math.abs(nowMs - noted.mailedAt) > mailedEveryMs;
  if (isMailDue) await mailUser(tx, lane);
  const mailedAt = isMailDue ? nowMs : noted.mailedAt;
  await tx.put(fullLanes, { lane, institutionId, fullSince: nowMs, mailedAt });
}
