import type { MethodEntry } from "../suite/suite.ts";

/** Marks an expected error whose code the method's own section lists. */
export function documentedIn(
  method: Pick<MethodEntry, "errors">,
  code: string,
): { readonly documented?: true } {
  const declared = method.errors.find((error) => error.code === code);
  return declared?.section === undefined ? {} : { documented: true };
}
