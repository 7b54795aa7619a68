import type { Reporter } from "../diagnostics/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import type { Scope } from "./scope.ts";
import { shapeParts, includesDepthMax } from "../shape-parts.ts";
import type {
  ConstraintSpec,
  FieldSpec,
  MethodSpec,
  Name,
  ObjectSpec,
  ShapeSpec,
  Spec,
  TypeSpec,
} from "../spec.ts";
import { resolveShape } from "./reach.ts";

type Types = Scope["types"];

/**
 * A spec whose objects have the fields and groups of the types that they include: these first, then their own. A field
 * that both have is the object's own, which has to be narrower. Everything after this knows plain objects alone.
 */
export function withIncludes(spec: Spec, used: readonly Types[], reporter: Reporter): Spec {
  if (!shapesOf(spec).some(hasIncludes)) return spec;
  const types = new Map(used.flatMap((each) => [...each]));
  for (const type of spec.types) types.set(type.name.value, type);
  const run: Expansion = {
    types,
    own: new Set(spec.types),
    included: new Set(),
    expanded: new Map(),
    depths: new Map(),
    reporter,
  };
  return {
    ...spec,
    types: spec.types.map((type) => ({ ...type, shape: expand(type.shape, run, [type.name.value]) })),
    methods: spec.methods.map((method) => expandMethod(method, run)),
    events: spec.events.map((event) =>
      event.payload.kind === "object" ? { ...event, payload: expandObject(event.payload, run, []) } : event,
    ),
    errors: spec.errors.map((error) =>
      error.data === undefined ? error : { ...error, data: expand(error.data, run) },
    ),
    included: run.included,
  };
}

interface Expansion {
  readonly types: Types;
  /** Of this spec: those of used specs are expanded already. */
  readonly own: ReadonlySet<TypeSpec>;
  readonly included: Set<string>;
  readonly expanded: Map<ObjectSpec, ObjectSpec>;
  /** How many objects each expanded one includes, one through the other. */
  readonly depths: Map<ObjectSpec, number>;
  readonly reporter: Reporter;
}

function shapesOf({ types, methods, events, errors }: Spec): readonly ShapeSpec[] {
  return [
    ...types.map(({ shape }) => shape),
    ...methods.flatMap(({ payload, result }) => [
      ...(payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload]),
      result,
    ]),
    ...events.map(({ payload }) => payload),
    ...errors.flatMap(({ data }) => data ?? []),
  ];
}

function hasIncludes(shape: ShapeSpec): boolean {
  return (shape.kind === "object" && shape.includes !== undefined) || shapeParts(shape).some(hasIncludes);
}

function expandMethod(method: MethodSpec, run: Expansion): MethodSpec {
  const { payload } = method;
  const result = expand(method.result, run);
  if (payload.kind === "object") return { ...method, payload: expandObject(payload, run, []), result };
  if (payload.kind !== "forms") return { ...method, result };
  const forms = payload.forms.map((form) => ({ ...form, shape: expandObject(form.shape, run, []) }));
  return { ...method, payload: { ...payload, forms }, result };
}

/** `within`: the named types that the shape is included in, outermost first. */
function expand(shape: ShapeSpec, run: Expansion, within: readonly string[] = []): ShapeSpec {
  switch (shape.kind) {
    case "object":
      return expandObject(shape, run, within);
    case "array":
      return { ...shape, items: expand(shape.items, run) };
    case "map":
      return { ...shape, values: expand(shape.values, run) };
    case "tuple":
      return { ...shape, items: shape.items.map((item) => expand(item, run)) };
    case "union":
      return { ...shape, alternatives: shape.alternatives.map((each) => expand(each, run)) };
    default:
      return shape;
  }
}

function expandObject(shape: ObjectSpec, run: Expansion, within: readonly string[]): ObjectSpec {
  const known = run.expanded.get(shape);
  if (known !== undefined) return known;
  const { includes = [], ...own } = shape;
  const bases = includes.flatMap((name) => baseOf(name, run, within) ?? []);
  const fields = own.fields.map((field) => ({ ...field, shape: expand(field.shape, run) }));
  const object = {
    ...own,
    fields: mergedFields(bases, fields, run),
    // A group that two of them include from a third is one.
    atLeastOneOf: [...new Set([...bases, own].flatMap(({ atLeastOneOf }) => atLeastOneOf))],
    exactlyOneOf: [...new Set([...bases, own].flatMap(({ exactlyOneOf }) => exactlyOneOf))],
  };
  run.expanded.set(shape, object);
  run.depths.set(object, 1 + Math.max(0, ...bases.map((base) => run.depths.get(base) ?? 0)));
  return object;
}

/** The object that a name includes, with what that includes itself. */
function baseOf(name: Name, run: Expansion, within: readonly string[]): ObjectSpec | undefined {
  const { types, own, included, reporter } = run;
  included.add(name.value);
  const type = types.get(name.value);
  if (type === undefined) {
    const suggestion = closest(name.value, [...types.keys()]);
    reporter.report("unknown-type", name.span, { name: name.value, suggestion });
  } else if (within.includes(name.value)) {
    reporter.report("includes-cycle", name.span, { chain: [...within, name.value] });
  } else if (type.shape.kind === "object") {
    const deep = { name: name.value, depthMax: includesDepthMax };
    if (within.length > includesDepthMax) {
      reporter.report("types-too-deep", name.span, { ...deep, depth: within.length });
      return undefined;
    }
    const object = own.has(type) ? expandObject(type.shape, run, [...within, name.value]) : type.shape;
    const depth = run.depths.get(object) ?? 0;
    if (depth <= includesDepthMax) return object;
    // The order of the types means nothing: those that were expanded before count too.
    reporter.report("types-too-deep", name.span, { ...deep, depth });
  } else if (type.shape.kind !== "unknown") {
    reporter.report("includes-no-object", name.span, { name: name.value });
  }
  return undefined;
}

/** Each field of included objects as the last one has it that has it, then those that none of them has. */
function mergedFields(
  bases: readonly ObjectSpec[],
  own: readonly FieldSpec[],
  { types, reporter }: Expansion,
): readonly FieldSpec[] {
  const merged = new Map<string, FieldSpec>();
  const merge = (field: FieldSpec): void => {
    const name = field.name.value;
    const base = merged.get(name);
    if (base !== undefined && base !== field && !narrows(field, base, { types })) {
      const related = { span: base.name.span, message: "included from here" };
      reporter.report("includes-widened", field.name.span, { name }, related);
    }
    merged.set(name, field);
  };
  for (const { fields } of bases) fields.forEach(merge);
  // Two of one name in the object itself stay two: that is another mistake.
  const seen = new Set<string>();
  const repeated: FieldSpec[] = [];
  for (const field of own) {
    if (seen.has(field.name.value)) repeated.push(field);
    else merge(field);
    seen.add(field.name.value);
  }
  return [...merged.values(), ...repeated];
}

type Named = Pick<Scope, "types">;

/** Whether every value of a field, absent ones too, is one of another field: as far as their types show it. */
export function narrows(field: FieldSpec, base: FieldSpec, scope: Named): boolean {
  if (isRequired(base) && !isRequired(field)) return false;
  return fits(field.shape, base.shape, scope);
}

function isRequired({ optional, requiredWhen }: FieldSpec): boolean {
  return optional === undefined && requiredWhen === undefined;
}

function fits(shape: ShapeSpec, base: ShapeSpec, scope: Named): boolean {
  if (shape === base) return true;
  if (shape.kind === "ref" && base.kind === "ref" && shape.type.value === base.type.value) return true;
  const [own, other] = [resolveShape(shape, scope), resolveShape(base, scope)];
  // What is unknown is reported elsewhere.
  if (own === undefined || other === undefined || own === other) return true;
  if (other.kind === "json") return true;
  if (other.kind === "union") {
    const alternatives = own.kind === "union" ? own.alternatives : [own];
    return alternatives.every((each) => other.alternatives.some((wider) => fits(each, wider, scope)));
  }
  if (!other.constraints.every((constraint) => isMet(constraint, own.constraints))) return false;
  if (own.kind === "enum") {
    if (other.kind === "scalar") {
      const isText = own.values.every(({ integer }) => integer === undefined);
      return other.constraints.length === 0 && other.scalar === (isText ? "string" : "integer");
    }
    if (other.kind !== "enum") return false;
    const wider = new Set(other.values.map(({ value, integer }) => integer ?? value.value));
    return own.values.every(({ value, integer }) => wider.has(integer ?? value.value));
  }
  if (own.kind === "scalar" && other.kind === "scalar") {
    return own.scalar === other.scalar || (own.scalar === "integer" && other.scalar === "number");
  }
  return own.kind === "array" && other.kind === "array" && fits(own.items, other.items, scope);
}

/** Whether a shape's own constraints ask no less than one of another shape. */
function isMet({ key, value }: ConstraintSpec, own: readonly ConstraintSpec[]): boolean {
  const constant = own.find((each) => each.key === "const")?.value;
  const mine = own.find((each) => each.key === key)?.value;
  switch (key) {
    case "minimum":
    case "minLength":
    case "minItems":
    case "above":
      return [mine, typeof constant === "number" && key === "minimum" ? constant : undefined].some(
        (each) => typeof each === "number" && each >= Number(value),
      );
    case "maximum":
    case "maxLength":
    case "maxItems":
    case "below":
      return [mine, typeof constant === "number" && key === "maximum" ? constant : undefined].some(
        (each) => typeof each === "number" && each <= Number(value),
      );
    default:
      return mine === value;
  }
}
