import { isIPv4, isIPv6 } from "node:net";
import type { StringFormat } from "../suite/shape.ts";

/** Whether a text has a format, decided by what Node knows of times, base64 and URLs rather than by one expression. */
export function formatAccepts(format: StringFormat, text: string): boolean {
  switch (format) {
    case "timestamp":
      return isTimestamp(text);
    case "offset-timestamp":
      return isOffsetTimestamp(text);
    case "date":
      return (
        /^\d{8}$/.test(text) && isTimestamp(`${text.replace(/(....)(..)(..)/, "$1-$2-$3")}T00:00:00.000Z`)
      );
    case "year-month":
      return /^\d{4}-\d\d$/.test(text) && isTimestamp(`${text}-01T00:00:00.000Z`);
    case "pem":
      return isPem(text);
    case "base64":
      return Buffer.from(text, "base64").toString("base64") === text;
    case "url":
      return isUrl(text);
    case "uuid":
      return [8, 4, 4, 4, 12].join() === lengthsOfHex(text).join();
    case "uri":
      return isUri(text);
    case "email":
      return isEmail(text);
    case "date-time":
      return isOffsetTimestamp(text.toUpperCase());
    case "iso-date":
      return /^\d{4}-\d\d-\d\d$/.test(text) && isTimestamp(`${text}T00:00:00.000Z`);
    case "ipv4":
      return isIPv4(text);
    case "ipv6":
      return isIPv6(text) && !text.includes("%");
    case "hostname":
      return text.length <= 253 && text.split(".").every(isLabel);
  }
}

/** What Date prints for four-digit years is the format itself. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function isOffsetTimestamp(text: string): boolean {
  const parts = /^(.{19})(\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/.exec(text);
  if (parts === null) return false;
  const [, local = "", , hours = "0", minutes = "0"] = parts;
  return isTimestamp(`${local}.000Z`) && Number(hours) < 24 && Number(minutes) < 60;
}

function isPem(text: string): boolean {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const label = /^-----BEGIN ([A-Z0-9 ]+)-----$/.exec(lines.at(0) ?? "")?.[1];
  const body = lines.slice(1, -1);
  return (
    label !== undefined &&
    lines.at(-1) === `-----END ${label}-----` &&
    body.length > 0 &&
    body.every((line, index) =>
      (index === body.length - 1 ? /^[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9+/]+$/).test(line),
    )
  );
}

function isUrl(text: string): boolean {
  const hasBlank = Array.from(text).some((character) => character <= " " || character === "\u007F");
  if (hasBlank || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
  return authority !== "" && !/[@\\]/.test(authority);
}

/** How long the parts between hyphens are; nothing where one has other characters than hexadecimal digits. */
function lengthsOfHex(text: string): readonly number[] {
  const parts = text.split("-");
  return parts.every((part) => /^[0-9a-f]+$/i.test(part)) ? parts.map(({ length }) => length) : [];
}

/** An absolute URI (RFC 3986): a scheme, and only characters that may stand in one. */
function isUri(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]*$/i.test(text)) return false;
  return !/%(?![0-9a-f]{2})/i.test(text) && text.split("#").length <= 2;
}

/** A local part and a host name, as people write them: no quotes, no comments. */
function isEmail(text: string): boolean {
  const [local = "", host = "", ...more] = text.split("@");
  if (more.length > 0 || local.length > 64 || host.length > 253) return false;
  const words = local.split(".");
  return words.every((word) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(word)) && host.split(".").every(isLabel);
}

function isLabel(label: string): boolean {
  return /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith("-") && !label.endsWith("-");
}
