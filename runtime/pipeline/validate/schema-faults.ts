import type { ValidationError } from "../../contract/index.ts";
import { memberPointer, type FieldFault } from "./field-fault.ts";

/** Keywords whose own errors say nothing that those of their parts do not. */
const composites: ReadonlySet<string> = new Set(["if", "anyOf", "allOf"]);

/** A validator's errors as faults of fields. */
export function schemaFaults(errors: readonly ValidationError[]): readonly FieldFault[] {
  return errors.flatMap((error) => {
    const { keyword, instancePath, params } = error;
    if (composites.has(keyword) && errors.length > 1) return [];
    const missing = params["missingProperty"];
    if (keyword === "required" && typeof missing === "string") {
      return [{ pointer: memberPointer(instancePath, missing), reason: "missing" }];
    }
    return [{ pointer: instancePath, reason: reasonOf(error) }];
  });
}

/** An empty string counts as missing where the field is required (D-14). */
function reasonOf({ keyword, params }: ValidationError): string {
  return keyword === "minLength" && params["limit"] === 1 ? "missing" : keyword;
}
