/** An identifier or unique field that is already taken. Handlers turn it into their method's own code. */
export class DuplicateRecordError extends Error {
  override readonly name = "DuplicateRecordError";
}

/** A question that would have looked at more rows than one may. The same question fails again; a narrower one may not. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
  readonly rowsMax: number;

  constructor(rowsMax: number) {
    super(`the question would look at more than ${rowsMax} rows (reads.rowsMax): narrow it`);
    this.rowsMax = rowsMax;
  }
}

/** The store has too much to do to answer now. The same question may be answered later. */
export class StoreBusyError extends Error {
  override readonly name = "StoreBusyError";
  readonly retryAfterSeconds = 1;
}
