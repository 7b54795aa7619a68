/**
 * A value that goes on whole under the names that it has: `sameNames<From, To>(value)` compiles only where `To` knows
 * each of them. For a value that is not a literal, the compiler would accept any name beside those that fit.
 */
export function sameNames<From extends To & { [Name in Exclude<keyof From, keyof To>]: never }, To>(
  value: From,
): To {
  return value;
}
