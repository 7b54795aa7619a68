/** The outcome of a call. */
export type Outcome =
  | { readonly kind: "result"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: string;
      readonly message: string;
      readonly data: string | undefined;
      /** Seconds or a date, where the response says when to try again. */
      readonly retryAfter?: string;
    }
  /** The service took a notification: there is no answer. */
  | { readonly kind: "taken" }
  /** There is no answer of JSON-RPC. */
  | { readonly kind: "failed"; readonly reason: string };

export interface Exchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutSeconds: number;
  readonly isNotification: boolean;
  /** Whether a result is sent without an envelope around it. */
  readonly isFlat?: boolean;
  /** The option that says where the service is, for messages. Default `--url`. */
  readonly addressOption?: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** The text of a request (JSON-RPC 2.0, section 4); `params` as they were given, digit by digit. */
export function requestText(method: string, params: string | undefined, id: number | undefined): string {
  const members = [
    '"jsonrpc":"2.0"',
    ...(id === undefined ? [] : [`"id":${id}`]),
    `"method":${JSON.stringify(method)}`,
    ...(params === undefined ? [] : [`"params":${params}`]),
  ];
  return `{${members.join(",")}}`;
}

/** Sends a request once; no redirect is followed, so credentials go nowhere else. */
export async function exchange({
  url,
  headers,
  body,
  timeoutSeconds,
  isNotification,
  isFlat = false,
  addressOption = "--url",
  signal,
}: Exchange): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), ...(signal ? [signal] : [])]),
    });
    const text = await response.text();
    if (isNotification && response.ok && text === "") return { kind: "taken" };
    const status = `HTTP ${response.status} ${response.statusText}`.trim();
    const outcome = outcomeOf(text, isFlat && response.ok);
    const retryAfter = response.headers.get("retry-after");
    if (outcome?.kind === "error" && retryAfter !== null) return { ...outcome, retryAfter };
    return outcome ?? { kind: "failed", reason: noAnswer(status, url, text) };
  } catch (cause) {
    return { kind: "failed", reason: reasonOf(cause, url, timeoutSeconds, addressOption) };
  }
}

/** A response object (section 5); undefined for anything else, also for one with both a result and an error. */
export function outcomeOf(text: string, isFlat: boolean): Outcome | undefined {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null) return undefined;
  const { result = null, error = null }: { result?: unknown; error?: unknown } = answer;
  if (!isFlat && result !== null && error !== null) return undefined;
  if ("error" in answer && typeof answer.error === "object" && answer.error !== null) {
    const { code, message, data }: { code?: unknown; message?: unknown; data?: unknown } = answer.error;
    const words = { code: textOf(code).replaceAll('"', ""), message: String(message) };
    return { kind: "error", ...words, data: data === undefined ? undefined : textOf(data) };
  }
  if (isFlat) return { kind: "result", text: textOf(answer) };
  return "result" in answer ? { kind: "result", text: textOf(answer.result) } : undefined;
}

/** Numbers stay the digits that were sent. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "undefined";
}

/** That what came is no response. */
export function noAnswer(status: string, url: string, text: string): string {
  const start = text.trim().slice(0, 200);
  return `${url} gave no response of JSON-RPC, but ${status}${start === "" ? "" : `: ${start}`}`;
}

function reasonOf(cause: unknown, url: string, timeoutSeconds: number, addressOption: string): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError")
    return `${url} did not answer within ${timeoutSeconds} s: give it longer with --timeout`;
  const { code, message } = Object(cause.cause ?? cause);
  if (code === "ECONNREFUSED")
    return `nothing listens at ${url}: start the service, or say where it is with ${addressOption}`;
  return `${url} cannot be called: ${message}`;
}
