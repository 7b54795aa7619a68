/** The text of a thrown value: the message of an error; of errors over several addresses, which have none, the first one's. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === "" && thrown.errors.length > 0)
    return messageOf(thrown.errors[0]);
  return thrown instanceof Error ? thrown.message : String(thrown);
}
