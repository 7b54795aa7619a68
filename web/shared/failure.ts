import { isObject, messageOf } from "./json.ts";

/** A file or a page of the service that was answered with an error. */
export class HttpError extends Error {
  readonly status: number;

  constructor(path: string, status: number) {
    super(`${path} was answered with HTTP ${status}`);
    this.status = status;
  }
}

/** Errors after which no call of this page can succeed. */
const signedOutCodes = new Set<unknown>(["BAD_CREDENTIAL", "INVALID_SIGNATURE", "NOT_FOUND_USER_DEVICE"]);

export function isSignedOut(error: unknown): boolean {
  return signedOutCodes.has(memberOf(error, "code"));
}

/** Whether the service knows the caller, who may not do this. */
export function isRefused(error: unknown): boolean {
  return memberOf(error, "code") === "UNAUTHORIZED";
}

/** JSON Pointer of the field that an error of the service is about. */
export function fieldOf(error: unknown): string | undefined {
  const field = memberOf(error, "field");
  return typeof field === "string" ? field : undefined;
}

/** Whether the same may succeed a moment later, without the reader. */
export function isTemporary(error: unknown): boolean {
  const code = memberOf(error, "code");
  if (typeof code === "string") return code === "UNAVAILABLE" || code === "RATE_LIMITED";
  const status = memberOf(error, "status");
  return isNoAnswer(error) || (typeof status === "number" && (status === 429 || status >= 500));
}

/** Whether what was asked for may have been done all the same. */
export function mayHaveHappened(error: unknown): boolean {
  return isNoAnswer(error) || nameOf(error) === "UnreadableResponseError";
}

/** The words for a failure: those of the page where no service answered, and else the service's, with all that it says. */
export function failureText(error: unknown): string {
  if (isSignedOut(error)) return `The service does not take your key any more: ${serviceText(error)}.`;
  if (nameOf(error) === "TimeoutError") return "The service takes too long to answer.";
  if (isNoAnswer(error)) return "The service does not answer. It may be stopped, or the network is down.";
  if (memberOf(error, "code") === "UNAVAILABLE")
    return `The service cannot answer now: it is busy, starting or stopping${detailOf(error)}.`;
  if (nameOf(error) === "UnreadableResponseError")
    return `HTTP ${String(memberOf(error, "status"))} came without an answer of the service: from a proxy before it, perhaps.`;
  return serviceText(error);
}

/** The service's message, and what its data adds. */
export function serviceText(error: unknown): string {
  return `${messageOf(error)}${detailOf(error)}`;
}

/** Where a text is wrong and how, the word that narrows the code, and when to try again. */
function detailOf(error: unknown): string {
  const given = memberOf(error, "data");
  const data = isObject(given) ? given : {};
  const at = typeof data["column"] === "number" ? ` at column ${data["column"]}` : "";
  const message = typeof data["message"] === "string" ? `: ${data["message"]}` : "";
  const reason = typeof data["reason"] === "string" ? ` (${data["reason"]})` : "";
  return `${at}${message}${reason}${retryText(memberOf(error, "retryAfter") ?? data["retryAfter"])}`;
}

function retryText(retryAfter: unknown): string {
  if (retryAfter === undefined || retryAfter === null) return "";
  return /^\d+$/.test(String(retryAfter))
    ? `; try again in ${String(retryAfter)} s`
    : `; try again at ${String(retryAfter)}`;
}

/** Faults of credentials that the service has never taken on this page. */
const refused: ReadonlyMap<unknown, string> = new Map([
  ["BAD_CREDENTIAL", "The service does not know this user name with this API key here."],
  ["NOT_FOUND_USER_DEVICE", "The service does not know this key identifier for this user."],
  ["INVALID_SIGNATURE", "The private key is not the one of this key identifier."],
]);

/** The words for a failure to sign in. */
export function signInText(error: unknown): string {
  return refused.get(memberOf(error, "code")) ?? failureText(error);
}

/** A failure in the words of the page, where it is that the present state forbids what was asked for. */
export function inWords(error: unknown, conflict: string | undefined): unknown {
  return conflict !== undefined && memberOf(error, "code") === "CONFLICT" ? new Error(conflict) : error;
}

function isNoAnswer(error: unknown): boolean {
  const name = nameOf(error);
  return name === "NetworkError" || name === "TimeoutError" || error instanceof TypeError;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function memberOf(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
