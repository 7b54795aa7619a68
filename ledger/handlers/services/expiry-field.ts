import { parseTimestamp } from "../../../runtime/contract/timestamps.ts";
import type { Clock } from "../../../runtime/store/ports/index.ts";
import type { RefusesInput } from "./money-field.ts";

/** Reads a time at which something is to expire. One that has passed already is refused. */
export function expiryField<FieldPointer extends string>(
  context: RefusesInput<NoInfer<FieldPointer>> & { readonly clock: Clock },
  text: string | undefined,
  field: FieldPointer,
): number | undefined {
  if (text === undefined) return undefined;
  const expiresAt = parseTimestamp(text);
  if (expiresAt === undefined || expiresAt <= context.clock.now()) {
    throw context.error("BAD_INPUT", { field, reason: "past" });
  }
  return expiresAt;
}
