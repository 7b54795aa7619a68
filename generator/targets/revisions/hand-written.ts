export { adapterPlans, type AdapterPlan } from "./plan.ts";
export type { HandWritten } from "./converter.ts";
export { byHandModule } from "./layout.ts";

/** Marks a function that is not written yet: the text that its stub throws. */
export function unwrittenName(name: string, revision: string): string {
  return `${name} of revision ${revision}`;
}
