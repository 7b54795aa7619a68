import type { Name, ShapeSpec, TypeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** A type that cannot do without itself has no finite value. */
export function checkInfiniteTypes({ spec, scope, report }: RuleContext): void {
  const done = new Set<TypeSpec>();
  const path: TypeSpec[] = [];
  const visit = (type: TypeSpec): void => {
    if (done.has(type)) return;
    path.push(type);
    for (const needed of needsOf(type.shape)) {
      const target = scope.types.get(needed.value);
      if (target === undefined) continue;
      const start = path.indexOf(target);
      if (start === -1) visit(target);
      else {
        const chain = [...path.slice(start), target].map(({ name }) => name.value);
        report("infinite-type", needed.span, { chain });
      }
    }
    path.pop();
    done.add(type);
  };
  for (const type of spec.types) visit(type);
}

/** The types without a value of which there is no value of this shape. */
function needsOf(shape: ShapeSpec): readonly Name[] {
  switch (shape.kind) {
    case "ref":
      return [shape.type];
    case "array": {
      const fewest = shape.constraints.find((constraint) => constraint.key === "minItems")?.value;
      return typeof fewest === "number" && fewest > 0 ? needsOf(shape.items) : [];
    }
    case "object":
      return shape.fields
        .filter((field) => field.optional === undefined && field.requiredWhen === undefined)
        .flatMap((field) => needsOf(field.shape));
    default:
      return [];
  }
}
