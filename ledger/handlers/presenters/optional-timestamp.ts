import { timestampText } from "../../../runtime/contract/timestamps.ts";

/** A time as it is sent, where there is one. */
export function optionalTimestamp(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : timestampText(timeMs);
}
