export { adapterPlans } from "./plan.ts";
export type { HandWritten } from "./converter.ts";
export { byHandModule } from "./layout.ts";

/** By what a function is known that nobody has written yet: what its stub throws. */
export function unwrittenName(name: string, revision: string): string {
  return `${name} of revision ${revision}`;
}
