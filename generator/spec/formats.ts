import type { ScalarType } from "./spec.ts";

/** The types that are text with a written form. */
export type FormattedType = Exclude<ScalarType, "string" | "number" | "integer" | "boolean" | "money">;

const monthAndDay = (separator: string) => `(?:0[1-9]|1[0-2])${separator}(?:0[1-9]|[12][0-9]|3[01])`;
const timeOfDay = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";
const offset = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
const base64Group = "[A-Za-z0-9+/]";

/**
 * The written form of each string format as ECMAScript source for the `u` flag: ASCII only, anchored, linear.
 *
 * For the three formats with a day (`timestamp`, `offset-timestamp`, `date`) and for `url` it is necessary but not
 * sufficient: the day must exist in its month, and the URL must parse. The rest it decides alone. Leap seconds and
 * the lower-case `t` and `z` that RFC 3339 also allows are refused. `base64` is RFC 4648 section 4 with padding and
 * zero trailing bits. `pem` is one block of RFC 7468 with nothing before it and at most a line break after it.
 */
export const formatPatterns: Readonly<Record<FormattedType, string>> = {
  timestamp: `^[0-9]{4}-${monthAndDay("-")}T${timeOfDay}\\.[0-9]{3}Z$`,
  "offset-timestamp": `^[0-9]{4}-${monthAndDay("-")}T${timeOfDay}(?:\\.[0-9]+)?${offset}$`,
  date: `^[0-9]{4}${monthAndDay("")}$`,
  "year-month": "^[0-9]{4}-(?:0[1-9]|1[0-2])$",
  pem: `^-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n(?:${base64Group}+\\r?\\n)*${base64Group}+={0,2}\\r?\\n-----END \\1-----(?:\\r?\\n)?$`,
  base64: `^(?:${base64Group}{4})*(?:${base64Group}[AQgw]==|${base64Group}{2}[AEIMQUYcgkosw048]=)?$`,
  url: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000-\\u0020\\u007F/?#@\\\\]+(?:[/?#][^\\u0000-\\u0020\\u007F]*)?$",
};

const meanings: Readonly<Record<FormattedType, string>> = {
  timestamp: "a UTC time with milliseconds, such as 2026-03-01T09:30:00.000Z",
  "offset-timestamp": "an RFC 3339 time, such as 2026-03-01T09:30:00+02:00",
  date: "a date of the calendar, written YYYYMMDD",
  "year-month": "a month, written YYYY-MM",
  pem: "one PEM block",
  base64: "standard base64 with padding",
  url: "an absolute http or https URL",
};

export function isFormattedType(type: ScalarType): type is FormattedType {
  return Object.hasOwn(formatPatterns, type);
}

/** What a text of the format is, in words. */
export function formatMeaning(type: FormattedType): string {
  return meanings[type];
}

/** What a text should be and is not; undefined where it is. */
export function formatProblem(type: FormattedType, text: string): string | undefined {
  const fits = new RegExp(formatPatterns[type], "u").test(text) && isSound(type, text);
  return fits ? undefined : meanings[type];
}

/** What the written form does not decide. */
function isSound(type: FormattedType, text: string): boolean {
  switch (type) {
    case "timestamp":
    case "offset-timestamp":
      return isDay(text.slice(0, 10));
    case "date":
      return isDay(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`);
    case "url":
      return URL.canParse(text);
    default:
      return true;
  }
}

/** Whether `YYYY-MM-DD` is in the calendar. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
