const timestamp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2}))?$/;

const dayMs = 86_400_000;
/** The day of the last time that was written, since the Unix epoch, and its `2026-11-23T`: most times of an answer are of few days. */
let lastDay = Number.NaN;
let lastDayText = "";
const twoDigits = numerals(2);
const threeDigits = numerals(3);

/** A time as the interface writes it: UTC, milliseconds, `Z`. Takes a seventh of `toISOString`. */
export function timestampText(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs);
  if (day !== lastDay) {
    lastDayText = new Date(timeMs).toISOString().slice(0, -13);
    lastDay = day;
  }
  const ofDay = Math.floor(timeMs - day * dayMs);
  const [hour, minute] = [Math.floor(ofDay / 3_600_000), Math.floor(ofDay / 60_000) % 60];
  const second = Math.floor(ofDay / 1000) % 60;
  const clock = `${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[second]}.${threeDigits[ofDay % 1000]}`;
  return `${lastDayText}${clock}Z`;
}

/** All numbers of so many digits, as text. */
function numerals(digits: number): readonly string[] {
  return Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, "0"));
}

/**
 * Reads an RFC 3339 time with `Z` or an offset, or a date alone, which is its midnight in UTC. Gives milliseconds
 * since the Unix epoch; finer fractions are cut off. `undefined` for other text and for days the calendar lacks.
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = timestamp.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = parts;
  const dayStart = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`);
  // Date.parse may roll 31 April over to 1 May: a real day prints as itself.
  if (Number.isNaN(dayStart) || !timestampText(dayStart).startsWith(`${year}-${month}-${day}T`))
    return undefined;
  const time = clockMs(hour, minute, second, fraction);
  const offset = offsetMs(zone);
  return time === undefined || offset === undefined ? undefined : dayStart + time - offset;
}

function clockMs(hour: string, minute: string, second: string, fraction: string): number | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const wholeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  return wholeMs + Number(fraction.padEnd(3, "0").slice(0, 3));
}

function offsetMs(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** A source of the time of day and of the time that has passed. */
export interface TimeSource {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since a time that stays the same: where the time of day is set, this goes on as before. */
  elapsedMs(): number;
}

/** Unix times in milliseconds. Both are what the clock shows unless it was set. */
export interface TimeBounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** By how much the time of day was ahead of the time that had passed, at least and at most. */
interface Offsets {
  readonly beganMs: number;
  least: number;
  most: number;
}

/**
 * Between which times it is, by all that the clock has shown in the last `keptMs`. An entry dated `latestMs` is
 * remembered for `keptMs` of elapsed time, however the clock is set meanwhile. It is forgotten once `earliestMs` is
 * `keptMs` later. A clock that is set for good is believed after twice that time at the latest. The later bound is at
 * most `keptMs` after the clock's time. So a clock that was a year ahead for a minute keeps nothing that long.
 */
export function timeBounds(clock: TimeSource, keptMs: number): () => TimeBounds {
  const look = (): Offsets => {
    const beganMs = clock.elapsedMs();
    const offset = clock.now() - beganMs;
    return { beganMs, least: offset, most: offset };
  };
  let current = look();
  let former = current;
  return () => {
    const seen = look();
    if (seen.beganMs - current.beganMs > keptMs) {
      former = current;
      current = seen;
    }
    current.least = Math.min(current.least, seen.least);
    current.most = Math.max(current.most, seen.most);
    const most = Math.min(Math.max(former.most, current.most), seen.most + keptMs);
    return {
      earliestMs: Math.round(seen.beganMs + Math.min(former.least, current.least)),
      latestMs: Math.round(seen.beganMs + most),
    };
  };
}

/** The machine's clock. */
export const systemClock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  /** Does not keep the process alive. Gives what cancels it. */
  schedule(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
