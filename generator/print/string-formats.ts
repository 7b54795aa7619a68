import type { StringFormat } from "../../conformance/suite/shape.ts";

export { isStringFormat } from "../../conformance/suite/shape.ts";
export { formatPatterns } from "../language/index.ts";

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
  uuid: "uuid",
  uri: "uri",
  "uri-reference": "uriReference",
  email: "email",
  "date-time": "dateTime",
  "iso-date": "isoDate",
  time: "time",
  duration: "duration",
  ipv4: "ipv4",
  ipv6: "ipv6",
  hostname: "hostname",
  "json-pointer": "jsonPointer",
} as const satisfies Record<StringFormat, string>;
