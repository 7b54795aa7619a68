import type { Clock, FullLaneRecord, LaneEventRecord, Writes } from "../../ports/index.ts";
import { subscriptionIdsOf, countOpenOf } from "../model/stored-deliveries.ts";
import { fullLaneByKey, fullLanes } from "../../storage/tables/index.ts";

export type Lane = Pick<LaneEventRecord, "lane" | "institutionId">;

/**
 * How many more deliveries each lane may have waiting (D-57). Beyond that its events stay in the lane: nothing is dropped,
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
  /** Whether the store says that the lane has room. */
  isNotedFree: boolean;
}

/** A full lane is counted again after this, one with room after this. */
const fullCountedEveryMs = 5_000;
const countedEveryMs = 60_000;
/** This share of the limit, and at least so many, are added without counting again. */
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
    const left = Math.max(waitingPerUserMax - (await countOpenOf(tx, ids)), 0);
    const uncounted = Math.max(Math.floor(waitingPerUserMax / uncountedShare), uncountedMin);
    const counted = { left, uncounted, countedAtMs: nowMs, isNotedFree: known?.isNotedFree ?? false };
    rooms.set(lane, counted);
    return counted;
  }

  return {
    of: async (tx, lane) => (await roomOf(tx, lane)).left,
    async added(tx, lane, count) {
      const room = await roomOf(tx, lane);
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

function isCurrent({ left, uncounted, countedAtMs }: LaneRoom, nowMs: number): boolean {
  const ageMs = Math.abs(nowMs - countedAtMs);
  return left === 0 ? ageMs < fullCountedEveryMs : ageMs < countedEveryMs && uncounted > 0;
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
