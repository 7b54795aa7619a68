import type { Failure } from "./options.ts";

/** A result, or the `data` of an error, that does not fit the spec. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

export type ReportFailure = (error: unknown, method?: string) => void;

/** Passes failures on; a hook that throws does not change any answer. */
export function createFailureReport(
  interfaceName: string,
  onFailure: (failure: Failure) => void = printFailure,
): ReportFailure {
  return (error, method) => {
    try {
      onFailure(method === undefined ? { interfaceName, error } : { interfaceName, method, error });
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
