import type { RouteStep } from "./route.ts";

/** A pointer into the payload of the revision that steps have led to, as one into the payload that was sent. */
export function earlierPointer(steps: readonly RouteStep[], pointer: string): string {
  return steps.reduceRight((at, { adapter }) => before(at, adapter.renamed), pointer);
}

function before(pointer: string, renamed: Readonly<Record<string, string>> | undefined): string {
  if (renamed === undefined) return pointer;
  const [, ...names] = pointer.split("/");
  let pattern = "";
  return names
    .map((name) => {
      pattern += /^[0-9]+$/.test(name) ? "/*" : `/${name}`;
      return `/${renamed[pattern] ?? name}`;
    })
    .join("");
}
