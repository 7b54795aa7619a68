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
