import { eventsOf } from "../references/reach.ts";
import { shapeParts } from "../shape-parts.ts";
import type { ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** Parameters and results are read with every digit; what services send by themselves, and data of errors, are not. */
export function checkBigintPlaces({ spec, scope, report }: RuleContext): void {
  for (const event of eventsOf(spec, scope)) {
    if (holdsBigint(event.payload))
      report("bigint-place", event.name.span, { what: "the payload of an event" });
  }
  for (const { code, data } of scope.errors.values()) {
    if (data !== undefined && holdsBigint(data))
      report("bigint-place", code.span, { what: "the data of an error" });
  }

  function holdsBigint(shape: ShapeSpec, seen: Set<string> = new Set()): boolean {
    if (shape.kind === "scalar") return shape.scalar === "bigint";
    if (shape.kind !== "ref") return shapeParts(shape).some((part) => holdsBigint(part, seen));
    const target = scope.types.get(shape.type.value);
    if (target === undefined || seen.has(target.name.value)) return false;
    seen.add(target.name.value);
    return holdsBigint(target.shape, seen);
  }
}
