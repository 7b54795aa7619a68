import type { Reporter } from "../diagnostics/index.ts";
import { reachOf, type Reach } from "../references/reach.ts";
import type { LoadedSpec, Scope } from "../references/scope.ts";
import { shapeParts } from "../shape-parts.ts";
import type { InterfaceSpec, MethodSpec, ObjectSpec, PayloadSpec, ShapeSpec, Spec } from "../spec.ts";

/** The input of every rule. Rules look at the spec's own definitions and look names up in the scope. */
export interface RuleContext {
  readonly spec: Spec;
  readonly own: InterfaceSpec;
  readonly scope: Scope;
  readonly reach: Reach;
  readonly methods: ReadonlyMap<string, MethodSpec>;
  /** Every shape that the spec writes, inner ones too. */
  readonly shapes: readonly ShapeSpec[];
  readonly objects: readonly ObjectSpec[];
  readonly report: Reporter["report"];
}

export function ruleContext({ spec, interface: own, scope }: LoadedSpec, reporter: Reporter): RuleContext {
  const shapes = shapesOf(spec);
  return {
    spec,
    own,
    scope,
    reach: reachOf(spec, scope),
    methods: new Map(spec.methods.map((method) => [method.name.value, method])),
    shapes,
    objects: shapes.filter((shape) => shape.kind === "object"),
    report: reporter.report,
  };
}

function shapesOf(spec: Spec): readonly ShapeSpec[] {
  const shapes: ShapeSpec[] = [];
  const visit = (shape: ShapeSpec | PayloadSpec): void => {
    if (shape.kind === "forms") {
      for (const form of shape.forms) visit(form.shape);
      return;
    }
    shapes.push(shape);
    for (const part of shapeParts(shape)) visit(part);
  };
  for (const type of spec.types) visit(type.shape);
  for (const method of spec.methods) {
    visit(method.payload);
    visit(method.result);
  }
  for (const event of spec.events) visit(event.payload);
  for (const error of spec.errors) if (error.data !== undefined) visit(error.data);
  return shapes;
}

/** The items whose key an earlier one has, each with the first of that key; those without a key are all different. */
export function repeated<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): readonly { readonly item: T; readonly first: T }[] {
  const firsts = new Map<string, T>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = key === undefined ? undefined : firsts.get(key);
    if (first !== undefined) return [{ item, first }];
    if (key !== undefined) firsts.set(key, item);
    return [];
  });
}
