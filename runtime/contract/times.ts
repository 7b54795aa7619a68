const timestamp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2}))?$/;

const dayMs = 86_400_000;
/** The day of the last time that was written, since the Unix epoch, and its `2026-11-23T`: most times of an answer are of few days. */
let lastDay = Number.NaN;
let lastDayText = "";
const twoDigits = numerals(2);
const threeDigits = numerals(3);

/** A time as the interface writes it: UTC, milliseconds, `Z` (D-38). Takes a seventh of `toISOString`. */
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
