import type { JsonObject, MethodDescriptor } from "../../contract/index.ts";
import { canonicalise } from "./canonicalise.ts";
import { inDocumentOrder } from "./document-order.ts";
import { pointerNames } from "./field-fault.ts";
import { schemaFaults } from "./schema-faults.ts";
import { planOf } from "./shape-plan.ts";

/** The fields that a payload needs and lacks, each as the names that lead to it, in document order. */
export function missingFields(method: MethodDescriptor, written: JsonObject): readonly (readonly string[])[] {
  const plan = planOf(method.payload);
  const { payload } = canonicalise(written, undefined, plan, false);
  if (method.validate(payload)) return [];
  return inDocumentOrder(schemaFaults(method.validate.errors ?? []), plan)
    .filter(({ reason }) => reason === "missing")
    .map(({ pointer }) => pointerNames(pointer));
}
