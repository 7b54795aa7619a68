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
      return text.length === 36 && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
    case "uri":
      return isUri(text);
    case "uri-reference":
      return isUri(text) || isUriText(text);
    case "email":
      return isEmail(text);
    case "date-time":
      return /^.{10}t/i.test(text) && isIsoDate(text.slice(0, 10)) && isTime(text.slice(11));
    case "iso-date":
      return isIsoDate(text);
    case "time":
      return isTime(text);
    case "duration":
      return isDuration(text);
    case "ipv4":
      return isIPv4(text);
    case "ipv6":
      return isIPv6(text) && !text.includes("%");
    case "hostname":
      return isHostname(text);
    case "json-pointer":
      return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
  }
}

/** Whether `Date` prints the text again: for four-digit years that is the format itself. */
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

function isIsoDate(text: string): boolean {
  return text.length === 10 && isTimestamp(`${text}T00:00:00.000Z`);
}

/** A leap second is like the one before it. */
function isTime(text: string): boolean {
  return isOffsetTimestamp(`2026-11-20T${text.replace(/^(.{6})60/, "$159").replace(/z$/, "Z")}`);
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && isUriText(text.slice(text.indexOf(":") + 1));
}

/** RFC 3986, in parts: at most one `#`, percent signs with two digits, brackets around an address of the authority. */
function isUriText(text: string): boolean {
  const [before = "", ...fragments] = text.split("#");
  const query = before.indexOf("?");
  const path = query === -1 ? before : before.slice(0, query);
  const unbracketed = path.replace(/^\/\/([^/@[\]]*@)?\[[\da-f:.]+\](:\d*)?(?=\/|$)/i, "$1");
  const rest = query === -1 ? "" : before.slice(query + 1);
  return (
    fragments.length < 2 &&
    [unbracketed.replaceAll("?", " "), rest, fragments[0] ?? ""].every(
      (part) => !/%(?![\da-f]{2})/i.test(part) && /^[\w.~!$&'()*+,;=:@/?%-]*$/.test(part),
    )
  );
}

function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  return (
    isHostname(text.slice(at + 1)) &&
    text
      .slice(0, Math.max(at, 0))
      .split(".")
      .every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part))
  );
}

function isHostname(text: string): boolean {
  const labels = text.split(".");
  return (
    labels.length <= 127 &&
    labels.every((label) => label.length <= 63 && /^[a-z\d-]+$/i.test(label) && !/^-|-$/.test(label))
  );
}

/** Units in their order, none left out between two. */
function isDuration(text: string): boolean {
  const [date = "", time, ...more] = text.split("T");
  if (!date.startsWith("P") || more.length > 0 || date.length + (time ?? "").length === 1) return false;
  if (units(date.slice(1)) === "W") return time === undefined;
  return (
    "YMD".includes(units(date.slice(1))) &&
    (time === undefined || (time !== "" && "HMS".includes(units(time))))
  );
}

function units(part: string): string {
  return /^(\d+[A-Z])*$/.test(part) ? part.replaceAll(/\d/g, "") : "?";
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
