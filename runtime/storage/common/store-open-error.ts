/** A database cannot be opened as a store; the message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}
