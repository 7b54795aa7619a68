import { selectedFlat } from "../suite/flat-methods.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject } from "../values/index.ts";

/** The method that a body is for: none where nothing in a flat body shows it. */
export function methodOf(entry: MethodEntry, data: unknown, { methods }: Suite): MethodEntry | undefined {
  if (entry.transport.kind !== "flat" || !isJsonObject(data)) return entry;
  const members = new Map(Object.entries(data));
  return selectedFlat(methods, entry.path, (field) => members.get(field));
}

/** Whether the form that a payload has depends on what is stored. */
export function isStored({ payload }: MethodEntry): boolean {
  return payload.kind === "forms" && payload.selectedBy === "stored";
}

/** Whether what is wrong is another field in each form. */
export function isHeldToEachForm({ payload }: MethodEntry): boolean {
  return payload.kind === "forms" && payload.heldToEach === true;
}
