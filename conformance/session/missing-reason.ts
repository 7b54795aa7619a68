import type { MissingValue } from "../request/resolve-value.ts";
import type { Suite } from "../suite/suite.ts";

/** Why a case is skipped that needs a missing value. */
export function missingReason({ valueName: name, why }: MissingValue, { resources }: Suite): string {
  if (name === "callbackUrl")
    return "needs an address that the service can send events to: see --callback-url";
  const resource = resources.find(({ samples }) => samples.includes(name));
  if (resource?.made !== undefined && resource.absent === undefined)
    return `needs a ${resource.name}, which only an operator can make`;
  return `needs ${name}, which ${why}`;
}
