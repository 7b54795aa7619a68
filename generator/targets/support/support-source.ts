import type { StringFormat } from "../../model/service-model.ts";
import { formatFunctions, formatPatterns } from "../../print/string-formats.ts";

/** The functions that `support.js` can have, in its order. An interface gets those that it needs. */
export const supportNames = [
  "validator",
  "fail",
  "failMissing",
  "isObject",
  "length",
  "equal",
  "hasEqualItems",
  "timestamp",
  "offsetTimestamp",
  "date",
  "yearMonth",
  "pem",
  "base64",
  "url",
  "uuid",
  "uri",
  "uriReference",
  "email",
  "dateTime",
  "isoDate",
  "time",
  "duration",
  "ipv4",
  "ipv6",
  "hostname",
  "jsonPointer",
] as const;

export type SupportName = (typeof supportNames)[number];

/** A function as JavaScript and as the line that declares it. */
export interface SupportFunction {
  readonly doc: string;
  readonly source: string;
  readonly declaration: string;
}

export const supportFunctions: Readonly<Record<SupportName, SupportFunction>> = {
  validator: {
    doc: "A validator from the function that collects a value's errors.",
    source: `function validator(check) {
      const validate = (value) => {
        const errors = [];
        check(value, "", errors);
        validate.errors = errors.length === 0 ? null : errors;
        return errors.length === 0;
      };
      return validate;
    }`,
    declaration:
      "function validator(check: (value: unknown, path: string, errors: ValidationError[]) => void): PayloadValidator;",
  },
  fail: {
    doc: "Adds an error; `instancePath` is a JSON Pointer.",
    source: `function fail(errors, instancePath, keyword, params) {
      errors.push({ instancePath, keyword, params });
    }`,
    declaration:
      'function fail(errors: ValidationError[], instancePath: string, keyword: string, params: ValidationError["params"]): void;',
  },
  failMissing: {
    doc: "Adds an error for each name that an object does not have.",
    source: `function failMissing(errors, instancePath, object, names) {
      for (const name of names) {
        if (!Object.hasOwn(object, name)) fail(errors, instancePath, "required", { missingProperty: name });
      }
    }`,
    declaration:
      "function failMissing(errors: ValidationError[], instancePath: string, object: Record<string, unknown>, names: readonly string[]): void;",
  },
  isObject: {
    doc: "Whether a value is a JSON object.",
    source: `function isObject(value) {
      return typeof value === "object" && value !== null && !Array.isArray(value);
    }`,
    declaration: "function isObject(value: unknown): value is Record<string, unknown>;",
  },
  length: {
    doc: "Unicode code points of a text.",
    source: `function length(text) {
      let count = 0;
      for (const _ of text) count += 1;
      return count;
    }`,
    declaration: "function length(text: string): number;",
  },
  equal: {
    doc: "Whether two JSON values are the same value; the order of properties means nothing.",
    source: `function equal(a, b) {
      if (a === b) return true;
      if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
      if (Array.isArray(a) !== Array.isArray(b)) return false;
      const names = Object.keys(a);
      return (
        names.length === Object.keys(b).length &&
        names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
      );
    }`,
    declaration: "function equal(a: unknown, b: unknown): boolean;",
  },
  hasEqualItems: {
    doc: "Whether two items are the same value.",
    source: `function hasEqualItems(items) {
      return items.some((item, index) => items.slice(0, index).some((other) => equal(item, other)));
    }`,
    declaration: "function hasEqualItems(items: readonly unknown[]): boolean;",
  },
  timestamp: formatFunction("timestamp", "A UTC time with milliseconds and `Z`: `2026-11-20T08:30:00.000Z`."),
  offsetTimestamp: formatFunction("offset-timestamp", "An RFC 3339 time with `Z` or an offset."),
  date: formatFunction("date", "A calendar date `YYYYMMDD`."),
  yearMonth: formatFunction("year-month", "A month `YYYY-MM`."),
  pem: formatFunction("pem", "Exactly one PEM block (RFC 7468)."),
  base64: formatFunction("base64", "Base64 with padding (RFC 4648 section 4)."),
  url: formatFunction(
    "url",
    "An absolute http or https URL without user name or password.",
    "URL.canParse(text)",
  ),
  uuid: formatFunction("uuid", "A UUID in either case."),
  uri: formatFunction("uri", "A URI with its scheme (RFC 3986)."),
  uriReference: formatFunction("uri-reference", "A URI or a relative reference (RFC 3986)."),
  email: formatFunction("email", "An e-mail address."),
  dateTime: formatFunction("date-time", "An RFC 3339 time with `Z` or an offset."),
  isoDate: formatFunction("iso-date", "A calendar date `YYYY-MM-DD`."),
  time: formatFunction("time", "A time of day with `Z` or an offset (RFC 3339)."),
  duration: formatFunction("duration", "A duration (RFC 3339)."),
  ipv4: formatFunction("ipv4", "An IPv4 address."),
  ipv6: formatFunction("ipv6", "An IPv6 address (RFC 4291)."),
  hostname: formatFunction("hostname", "A host name (RFC 1123)."),
  jsonPointer: formatFunction("json-pointer", "A JSON Pointer (RFC 6901)."),
};

function formatFunction(format: StringFormat, doc: string, also?: string): SupportFunction {
  const name = formatFunctions[format];
  const written = `${String(new RegExp(formatPatterns[format], "u"))}.test(text)`;
  return {
    doc,
    source: `function ${name}(text) { return ${[written, ...(also === undefined ? [] : [also])].join(" && ")}; }`,
    declaration: `function ${name}(text: string): boolean;`,
  };
}
