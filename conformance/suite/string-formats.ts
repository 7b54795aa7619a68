/** The formats that a text can have, each with what a text of it is, in words: the one list of them. */
export const stringFormats = {
  timestamp: "a UTC time with milliseconds, such as 2026-03-01T09:30:00.000Z",
  "offset-timestamp": "an RFC 3339 time, such as 2026-03-01T09:30:00+02:00",
  date: "a date of the calendar, written YYYYMMDD",
  "year-month": "a month, written YYYY-MM",
  pem: "one PEM block",
  base64: "standard base64 with padding",
  url: "an absolute http or https URL",
  uuid: "a UUID, such as 0190a6c2-7d1e-7b3a-9c4f-2f6d8e5b1a07",
  uri: "a URI with its scheme (RFC 3986)",
  "uri-reference": "a URI or a relative reference (RFC 3986)",
  email: "an e-mail address, such as ada@example.com",
  /** Upper or lower case, leap seconds included. */
  "date-time": "an RFC 3339 time, such as 2026-03-01T09:30:00Z",
  "iso-date": "a date of the calendar, written YYYY-MM-DD",
  time: "a time of day with its offset, such as 09:30:00Z",
  duration: "an RFC 3339 duration, such as P1DT12H",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  hostname: "a host name (RFC 1123)",
  "json-pointer": "a JSON Pointer (RFC 6901)",
} as const;

export type StringFormat = keyof typeof stringFormats;

export function isStringFormat(name: string): name is StringFormat {
  return Object.hasOwn(stringFormats, name);
}
