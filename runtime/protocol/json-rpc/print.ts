/** An error object (section 5.1). */
export interface PrintedError {
  readonly code: number;
  readonly message: string;
}

/** The response object of a call that succeeded (section 5). `resultText` is JSON. */
export function printResult(id: string, resultText: string): string {
  return `{"jsonrpc":"2.0","result":${resultText},"id":${id}}`;
}

/** The response object of a call that failed. `dataText` is JSON. */
export function printError(id: string, { code, message }: PrintedError, dataText?: string): string {
  const data = dataText === undefined ? "" : `,"data":${dataText}`;
  return `{"jsonrpc":"2.0","error":{"code":${code},"message":${JSON.stringify(message)}${data}},"id":${id}}`;
}

/** The answer to a batch: nothing where none of its calls is answered (section 6). */
export function printBatch(responses: readonly string[]): string | undefined {
  return responses.length === 0 ? undefined : `[${responses.join(",")}]`;
}

/** A notification of the server's own: a request object without an `id`. `paramsText` is JSON. */
export function printNotification(method: string, paramsText: string | undefined): string {
  const params = paramsText === undefined ? "" : `,"params":${paramsText}`;
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params}}`;
}

/** A value as JSON: `undefined` is `null`, a `bigint` all of its digits. @throws TypeError where it cannot be JSON. */
export function printValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    // Only a bigint is worth a second look; whatever else cannot be printed throws again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, exactBigint) ?? "null";
  }
}

function exactBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
}
