import { isObject } from "../../protocol/signed-envelope/decode.ts";
import { omitUndefined, type JsonValue } from "../../contract/index.ts";

/** An unexpected failure as the log may show it. */
export interface FailureReport {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: FailureReport;
}

const causesMax = 4;
/** Shorter values say nothing and occur in every sentence. */
const secretCharactersMin = 4;

/**
 * Describes a failure without a word of what the caller sent: the failing code may have put a value of
 * the payload into the text of an error, and payloads are never logged.
 */
export function reportFailure(error: unknown, body: Buffer): FailureReport {
  const values = sentValues(body);
  const clean = (text: string) =>
    values.reduce((cleaned, value) => cleaned.replaceAll(value, "[redacted]"), text);
  return report(error, clean, 0);
}

function report(error: unknown, clean: (text: string) => string, depth: number): FailureReport {
  if (!(error instanceof Error)) return { type: typeof error, message: clean(String(error)) };
  const { name, message, stack, cause } = error;
  return omitUndefined({
    type: name,
    message: clean(message),
    stack: stack === undefined ? undefined : clean(stack),
    cause: cause === undefined || depth === causesMax ? undefined : report(cause, clean, depth + 1),
  });
}

/** Every text and number under `params`, or of a flat body, longest first. */
function sentValues(body: Buffer): readonly string[] {
  const values = new Set<string>();
  const collect = (value: JsonValue | undefined): void => {
    if (typeof value === "string" || typeof value === "number") values.add(String(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    const root: JsonValue = JSON.parse(body.toString("utf8"));
    collect(isObject(root) && root["params"] !== undefined ? root["params"] : root);
  } catch {
    return [];
  }
  return [...values]
    .filter((value) => value.length >= secretCharactersMin)
    .toSorted((a, b) => b.length - a.length);
}
