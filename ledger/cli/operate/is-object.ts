/** Whether a value read from JSON or YAML has members; a list has, too. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
