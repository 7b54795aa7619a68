import { omitUndefined, type JsonValue } from "../contract/index.ts";
import type { Failure } from "./options.ts";

export type ReportFailure = (error: unknown, of?: Omit<Failure, "interfaceName" | "error">) => void;

/** Passes failures on; a hook that throws does not change any answer. */
export function createFailureReport(
  interfaceName: string,
  onFailure: (failure: Failure) => void = printFailure,
): ReportFailure {
  return (error, of) => {
    try {
      onFailure({ interfaceName, ...of, error });
    } catch (second) {
      printFailure({ interfaceName, error: second });
    }
  };
}

function printFailure({ interfaceName, method, error }: Failure): void {
  const place = method === undefined ? interfaceName : `${interfaceName}.${method}`;
  process.stderr.write(`${place} failed: ${textOf(error)}\n`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "it threw a value that is no Error";
}

/** An unexpected failure as the log may show it. */
export interface ShownFailure {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ShownFailure;
}

const causesMax = 4;
/** Shorter values say nothing and occur in every sentence. */
const secretCharactersMin = 4;

/**
 * Describes a failure without the caller's input. The failing code may have put a value of the payload into the text
 * of an error, and payloads are never logged.
 */
export function shownFailure(error: unknown, sent: Uint8Array): ShownFailure {
  const values = sentValues(sent);
  const clean = (text: string) =>
    values.reduce((cleaned, value) => cleaned.replaceAll(value, "[redacted]"), text);
  return shown(error, clean, 0);
}

function shown(error: unknown, clean: (text: string) => string, depth: number): ShownFailure {
  if (!(error instanceof Error)) return { type: typeof error, message: clean(String(error)) };
  const { name, message, stack, cause } = error;
  return omitUndefined({
    type: name,
    message: clean(message),
    stack: stack === undefined ? undefined : clean(stack),
    cause: cause === undefined || depth === causesMax ? undefined : shown(cause, clean, depth + 1),
  });
}

/** Every text and number under `params`, or of a body without any, longest first. */
function sentValues(sent: Uint8Array): readonly string[] {
  const values = new Set<string>();
  const collect = (value: JsonValue | undefined): void => {
    if (typeof value === "string" || typeof value === "number") values.add(String(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    const root: JsonValue = JSON.parse(Buffer.from(sent).toString("utf8"));
    for (const message of Array.isArray(root) ? root : [root]) collect(paramsOf(message));
  } catch {
    return [];
  }
  return [...values]
    .filter((value) => value.length >= secretCharactersMin)
    .toSorted((a, b) => b.length - a.length);
}

function paramsOf(message: JsonValue): JsonValue {
  const hasParams = typeof message === "object" && message !== null && "params" in message;
  return hasParams ? (message.params ?? message) : message;
}
