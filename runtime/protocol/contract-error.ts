import type { PayloadValidator } from "../contract/index.ts";

/** A result, or the `data` of an error, that does not fit the spec. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

/** @throws ContractError where a result, as it is sent, does not fit the spec. */
export function checkResult(
  { name, validateResult }: { readonly name: string; readonly validateResult?: PayloadValidator },
  sentText: string,
): void {
  if (validateResult === undefined || validateResult(JSON.parse(sentText))) return;
  throw new ContractError(
    `the result of ${name} does not fit the spec at ${placeOf(validateResult)}: correct its handler or the spec`,
  );
}

/** Where a value does not fit, and the keyword that says so. */
function placeOf({ errors }: PayloadValidator): string {
  const [first] = errors ?? [];
  if (first === undefined) return "its root (invalid)";
  const { instancePath, keyword, params } = first;
  const member = params["missingProperty"] ?? params["additionalProperty"];
  const path = typeof member === "string" ? `${instancePath}/${member}` : instancePath;
  return `${path === "" ? "its root" : path} (${keyword})`;
}
