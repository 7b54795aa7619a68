import { anchorsOf, patternProblem } from "../patterns/patterns.ts";
import type { ConstraintSpec, ShapeSpec, UnknownSpec, Located } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { problemsOf } from "../../../conformance/values/index.ts";
import { scalarShape, withSoundPattern } from "../shape-from.ts";
import { problemWords } from "./examples.ts";
import { scalarSample } from "../../../conformance/samples/index.ts";

type Constrained = Exclude<ShapeSpec, UnknownSpec>;

/** Constraints fit the type they are on, and can be met. */
export function checkConstraints(context: RuleContext): void {
  for (const shape of context.shapes) {
    if (shape.kind === "unknown") continue;
    const allowed = constraintsFor(shape);
    const applicable = shape.constraints.filter((constraint) => {
      if (allowed.includes(constraint.key)) return true;
      reportNotApplicable(constraint, shape, context);
      return false;
    });
    checkBounds(applicable, context);
    checkPattern(applicable, context);
    checkConst(applicable, shape, context);
  }
}

function constraintsFor(shape: Constrained): readonly string[] {
  if (shape.kind === "array") return ["minItems", "maxItems", "uniqueItems"];
  if (shape.kind === "enum") return ["open"];
  if (shape.kind !== "scalar") return [];
  switch (shape.scalar) {
    case "string":
      return ["const", "minLength", "maxLength", "pattern"];
    case "number":
    case "integer":
      return ["const", "minimum", "maximum", "above", "below"];
    case "bigint":
      return ["minimum", "maximum", "above", "below"];
    case "money":
      return ["minimum", "maximum"];
    case "boolean":
      return ["const"];
    default:
      return ["minLength", "maxLength"];
  }
}

function reportNotApplicable(
  { key, keySpan }: ConstraintSpec,
  shape: Constrained,
  { report }: RuleContext,
): void {
  const allowed = constraintsFor(shape);
  report("constraint-not-applicable", keySpan, { key, type: typeText(shape), kind: shape.kind, allowed });
}

/** How a type is written. */
function typeText(shape: ShapeSpec): string {
  switch (shape.kind) {
    case "scalar":
      return shape.scalar;
    case "ref":
      return shape.type.value;
    case "array":
      return `array of ${typeText(shape.items)}`;
    case "map":
      return `map of ${typeText(shape.values)}`;
    case "union":
      return shape.alternatives.map(typeText).join("|");
    default:
      return shape.kind;
  }
}

const bounds = [
  ["minLength", "maxLength"],
  ["minimum", "maximum"],
  ["minimum", "below"],
  ["above", "maximum"],
  ["above", "below"],
  ["minItems", "maxItems"],
] as const;

function checkBounds(constraints: readonly ConstraintSpec[], { report }: RuleContext): void {
  for (const [lowKey, highKey] of bounds) {
    const low = constraints.find((constraint) => constraint.key === lowKey);
    const high = constraints.find((constraint) => constraint.key === highKey);
    if (typeof low?.value !== "number" || typeof high?.value !== "number") continue;
    const mayBeEqual = lowKey !== "above" && highKey !== "below";
    if (low.value < high.value || (mayBeEqual && low.value === high.value)) continue;
    const params = { lowKey, low: low.value, highKey, high: high.value };
    report("bounds-inverted", high.span, params, { span: low.span, message: "the lower bound" });
  }
}

function checkPattern(constraints: readonly ConstraintSpec[], context: RuleContext): void {
  const pattern = constraints.find((constraint) => constraint.key === "pattern");
  if (typeof pattern?.value === "string") isSoundPattern({ ...pattern, value: pattern.value }, context);
}

/** Whether a pattern is one that a spec may have; what is wrong with it is reported. */
export function isSoundPattern({ value, span }: Located<string>, { report }: RuleContext): boolean {
  const problem = patternProblem(value);
  if (problem?.kind === "invalid") report("pattern-invalid", span, { reason: problem.reason });
  else if (!isAnchored(value)) report("pattern-unanchored", span, { pattern: value });
  else if (problem?.kind === "slow")
    report("pattern-slow", span, { pattern: value, because: problem.because });
  else return true;
  return false;
}

/** Begins with `^`, ends with `$`, and has no `|` that would end the reach of either. */
function isAnchored(pattern: string): boolean {
  const { hasTopAlternative, startsAnchored, endsAnchored } = anchorsOf(pattern);
  return startsAnchored && endsAnchored && !hasTopAlternative;
}

function checkConst(
  constraints: readonly ConstraintSpec[],
  shape: Constrained,
  { report }: RuleContext,
): void {
  const constant = constraints.find((constraint) => constraint.key === "const");
  if (constant === undefined || shape.kind !== "scalar") return;
  const others = constraints.filter((constraint) => constraint !== constant);
  const own = withSoundPattern(scalarShape({ ...shape, constraints: others }));
  const [problem] = problemsOf(own, constant.value, {
    direction: "request",
    example: true,
    resolve: () => own,
  });
  if (problem !== undefined) report("const-mismatch", constant.span, { reason: problemWords(problem, "") });
}

/** Texts that reading their pattern does not find: without an example there is nothing to try them with. */
export function checkSamples({ spec, objects, report }: RuleContext): void {
  for (const { shape, example } of [...spec.types, ...objects.flatMap(({ fields }) => fields)]) {
    if (example !== undefined || shape.kind !== "scalar") continue;
    const pattern = shape.constraints.find(({ key }) => key === "pattern");
    const own = withSoundPattern(scalarShape(shape));
    if (pattern === undefined || own.kind !== "string") continue;
    if (scalarSample(own, { direction: "request", resolve: () => own }) === undefined)
      report("no-sample", pattern.span, {});
  }
}
