import type { ScalarType } from "../spec.ts";

/** How each format is described, and whether a text has it. */
export interface Format {
  readonly means: string;
  readonly fits: (text: string) => boolean;
}

const formats: ReadonlyMap<ScalarType, Format> = new Map<ScalarType, Format>([
  [
    "timestamp",
    { means: "a UTC time with milliseconds, such as 2026-03-01T09:30:00.000Z", fits: isTimestamp },
  ],
  [
    "offset-timestamp",
    { means: "an RFC 3339 time, such as 2026-03-01T09:30:00+02:00", fits: isOffsetTimestamp },
  ],
  ["date", { means: "a date of the calendar, written YYYYMMDD", fits: isDate }],
  ["year-month", { means: "a month, written YYYY-MM", fits: (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text) }],
  ["pem", { means: "one PEM block", fits: isPem }],
  ["base64", { means: "standard base64 with padding", fits: isBase64 }],
  ["url", { means: "an absolute URL", fits: (text) => URL.canParse(text) }],
]);

export function formatOf(scalar: ScalarType): Format | undefined {
  return formats.get(scalar);
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && isRealTime(text);
}

function isOffsetTimestamp(text: string): boolean {
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
  return pattern.test(text) && isRealTime(text);
}

/** The day is in the calendar and the time on the clock; a leap second is not. */
function isRealTime(text: string): boolean {
  const [hour = 99, minute = 99, second = 99] = [11, 14, 17].map((at) => Number(text.slice(at, at + 2)));
  return isRealDay(text.slice(0, 10)) && hour < 24 && minute < 60 && second < 60;
}

function isDate(text: string): boolean {
  return /^\d{8}$/.test(text) && isRealDay(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`);
}

/** `YYYY-MM-DD`. */
function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function isPem(text: string): boolean {
  return /^-----BEGIN ([A-Z0-9 ]+)-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END \1-----\r?\n?$/.test(text);
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}
