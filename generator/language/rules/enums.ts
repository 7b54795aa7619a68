import type { Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** An enum has each value once. */
export function checkEnums({ shapes, report }: RuleContext): void {
  for (const shape of shapes) {
    if (shape.kind !== "enum") continue;
    const seen = new Map<string, Name>();
    for (const { value } of shape.values) {
      const earlier = seen.get(value.value);
      if (earlier === undefined) seen.set(value.value, value);
      else {
        const related = { span: earlier.span, message: "first here" };
        report("enum-duplicate-value", value.span, { value: value.value }, related);
      }
    }
  }
}
