import type { IncomingMessage } from "node:http";

/** Why a request is refused before its body is read. */
export interface HttpError {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const allowed = { Allow: "OPTIONS, POST" };

/** The media types of a message; `application/json-rpc` is what older clients send. */
const mediaTypes: ReadonlySet<string> = new Set([
  "application/json",
  "application/json-rpc",
  "application/jsonrequest",
]);

export function checkRequest(request: IncomingMessage): HttpError | undefined {
  if (request.method !== "POST") return { status: 405, reason: "http-method", headers: allowed };
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    return { status: 415, reason: "content-encoding", headers: { "Accept-Encoding": "identity" } };
  if (!isJson(request.headers["content-type"]))
    return { status: 415, reason: "content-type", headers: { "Accept-Post": "application/json" } };
  return undefined;
}

/** JSON in UTF-8. Pages of other origins cannot send it without being asked first, so a missing type is none. */
function isJson(contentType = ""): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (!mediaTypes.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^\s*"?utf-?8"?\s*$/.test(value);
  });
}
