import { resolveShape } from "../references/reach.ts";
import type { Scope } from "../references/scope.ts";
import type { ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** Of alternatives of which exactly one may fit, two that take the same values take none: whatever fits one fits both. */
export function checkAlternatives({ shapes, scope, report }: RuleContext): void {
  for (const shape of shapes) {
    if (shape.kind !== "union" || shape.exactlyOne === undefined) continue;
    const texts = shape.alternatives.map((each) => textOf(each, scope));
    for (const [at, text] of texts.entries()) {
      const first = texts.indexOf(text);
      if (first < at) report("alternatives-same", shape.span, { first: first + 1, second: at + 1 });
    }
  }
}

/** Members of a shape that say nothing of its values. */
const remarks: ReadonlySet<string> = new Set([
  "span",
  "keySpan",
  "doc",
  "section",
  "decisions",
  "since",
  "deprecated",
  "extensions",
  "example",
]);

/** A shape as text: equal texts take the same values. */
function textOf(shape: ShapeSpec, scope: Scope): string {
  const constraints = shape.kind === "ref" ? shape.constraints : [];
  return JSON.stringify([constraints, resolveShape(shape, scope) ?? shape], (key, value: unknown) => {
    if (remarks.has(key)) return undefined;
    // Some members are the place where a word is written.
    return typeof value === "object" && value !== null && "source" in value ? true : value;
  });
}
