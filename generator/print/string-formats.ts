import type { StringFormat } from "../model/service-model.ts";

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
export const formatPatterns: Readonly<Record<StringFormat, string>> = {
  timestamp: `^[0-9]{4}-${monthAndDay("-")}T${timeOfDay}\\.[0-9]{3}Z$`,
  "offset-timestamp": `^[0-9]{4}-${monthAndDay("-")}T${timeOfDay}(?:\\.[0-9]+)?${offset}$`,
  date: `^[0-9]{4}${monthAndDay("")}$`,
  "year-month": "^[0-9]{4}-(?:0[1-9]|1[0-2])$",
  pem: `^-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n(?:${base64Group}+\\r?\\n)*${base64Group}+={0,2}\\r?\\n-----END \\1-----(?:\\r?\\n)?$`,
  base64: `^(?:${base64Group}{4})*(?:${base64Group}[AQgw]==|${base64Group}{2}[AEIMQUYcgkosw048]=)?$`,
  url: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000-\\u0020\\u007F/?#@\\\\]+(?:[/?#][^\\u0000-\\u0020\\u007F]*)?$",
};

/** Largest magnitude of `money`: every integer up to it has at most 15 digits, which a double carries exactly. */
export const moneyMagnitudeMax = 999_999_999_999_999;

/** The function of the generated `validators/support.js` that decides each format. */
export const formatFunctions = {
  timestamp: "timestamp",
  "offset-timestamp": "offsetTimestamp",
  date: "date",
  "year-month": "yearMonth",
  pem: "pem",
  base64: "base64",
  url: "url",
} as const satisfies Record<StringFormat, string>;

export function isStringFormat(name: string): name is StringFormat {
  return Object.hasOwn(formatFunctions, name);
}
