/** A mistake in what the operator gave: nothing was done or called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
