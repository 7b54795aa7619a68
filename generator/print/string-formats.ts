import type { StringFormat } from "../model/service-model.ts";

export { formatPatterns } from "../spec/index.ts";

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
