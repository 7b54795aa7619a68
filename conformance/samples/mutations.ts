import { pathGroups, type FieldShape, type ObjectShape, type PathGroup, type Shape } from "../suite/shape.ts";
import { absent, type JsonPath, partAt, pathText, replacedAt, wireNames } from "../values/index.ts";
import { fieldInstance, instanceOf } from "./instances.ts";
import { otherTypes, type SampleReading, scalarCandidates, scalarSamples } from "./scalar-samples.ts";
import { sampleCharactersMax } from "./pattern-samples.ts";

/** A whole value that differs from a valid one in what the description says. */
export interface Mutation {
  readonly description: string;
  readonly data: unknown;
  /** The differences: each place, and its value, or `absent`. */
  readonly parts: readonly (readonly [JsonPath, unknown])[];
}

/**
 * For each rule of a shape, values that touch it, made from a value that fits. Rules of a named type are tested where
 * it is first used. Elsewhere, values of other types show that it is checked there, too.
 */
export function mutationsOf(shape: Shape, base: unknown, reading: SampleReading): readonly Mutation[] {
  const walk: Walk = { ...reading, typesTouched: new Set(), typesOpen: new Set() };
  return changesAt(shape, base, [], walk).map(({ what, parts }) => ({
    description: what,
    parts,
    data: parts.reduce((data, [path, part]) => replacedAt(data, path, part), base),
  }));
}

interface Walk extends SampleReading {
  readonly typesTouched: Set<string>;
  /** Types that take several kinds of value and whose parts are being changed. */
  readonly typesOpen: Set<string>;
}

interface Change {
  readonly what: string;
  readonly parts: readonly (readonly [JsonPath, unknown])[];
}

function changesAt(shape: Shape, base: unknown, path: JsonPath, reading: Walk): readonly Change[] {
  const resolved = reading.resolve(shape);
  if (shape.kind === "ref" && ["object", "array", "enum"].includes(resolved.kind)) {
    if (reading.typesTouched.has(shape.type)) return changesOfType(resolved.kind, path);
    reading.typesTouched.add(shape.type);
  }
  switch (resolved.kind) {
    case "object":
      return [...changesOfType("object", path), ...objectChanges(resolved, base, path, reading)];
    case "array":
      return [...changesOfType("array", path), ...arrayChanges(resolved, base, path, reading)];
    case "null":
    case "json":
    case "nullable":
    case "union":
    case "tagged":
    case "map":
    case "tuple": {
      const name = shape.kind === "ref" ? shape.type : undefined;
      if (name === undefined) return openChanges(resolved, path, reading);
      if (reading.typesOpen.has(name)) return typeChanges(path);
      reading.typesOpen.add(name);
      const changes = openChanges(resolved, path, reading);
      reading.typesOpen.delete(name);
      return changes;
    }
    default:
      return scalarCandidates(resolved, reading).map(({ what, value }) =>
        change(path, what, [[path, value]]),
      );
  }
}

/** Values of every type; what fits and fits not inside; a place too many, and one too few. */
function openChanges(
  shape: Exclude<Shape, { kind: "ref" }>,
  path: JsonPath,
  reading: Walk,
): readonly Change[] {
  const types = typeChanges(path);
  const whole = (inner: Shape, what: string): readonly Change[] => {
    const value = instanceOf(inner, "maximal", reading);
    const inside = changesAt(inner, value, [], reading).map(({ what: how, parts }) => {
      const data = parts.reduce((changed, [at, part]) => replacedAt(changed, at, part), value);
      return change(path, `${what}, ${how}`, [[path, data]]);
    });
    return [change(path, what, [[path, value]]), ...inside];
  };
  switch (shape.kind) {
    case "nullable":
      return [...types, ...whole(shape.shape, "not null").slice(0, openChangesMax)];
    case "union":
      return [
        ...types,
        ...shape.alternatives.flatMap((each, at) =>
          whole(each, `alternative ${at}`).slice(0, openChangesMax),
        ),
      ];
    case "tagged":
      return [...types, ...taggedChanges(shape, path, reading, whole)];
    case "map":
      return [
        ...types,
        ...["a", "A b/c~d", "", "2026", "20260101"].flatMap((name) =>
          [instanceOf(shape.values, "minimal", reading), null, 1, "text", [], {}].map((value) =>
            change(path, `${JSON.stringify(name)}: ${JSON.stringify(value)}`, [[path, { [name]: value }]]),
          ),
        ),
      ];
    case "tuple": {
      const items = shape.items.map((item) => instanceOf(item, "minimal", reading));
      return [
        ...types,
        change(path, "an item too few", [[path, items.slice(0, -1)]]),
        change(path, "an item too many", [[path, [...items, null]]]),
        ...items.flatMap((_, at) =>
          otherTypes("null").map(({ what, value }) =>
            change(path, `item ${at}: ${what}`, [[path, items.with(at, value)]]),
          ),
        ),
      ];
    }
    default:
      return types;
  }
}

/** A value of each type, at a place that may take several. */
function typeChanges(path: JsonPath): readonly Change[] {
  return [...changesOfType("null", path), change(path, "an array of null", [[path, [null]]])];
}

/** Mutations of each part of a shape that takes several types. */
const openChangesMax = 40;

function taggedChanges(
  { discriminator, cases }: Extract<Shape, { kind: "tagged" }>,
  path: JsonPath,
  reading: Walk,
  whole: (inner: Shape, what: string) => readonly Change[],
): readonly Change[] {
  return cases.flatMap(({ tag, shape }) => {
    const value = { ...Object(instanceOf(shape, "maximal", reading)) };
    return [
      ...whole(shape, `case ${tag} as it is`).slice(0, openChangesMax),
      ...[tag, "no such case", null, ...cases.map((each) => each.tag)].map((other) =>
        change(path, `case ${tag} as ${other}`, [[path, { ...value, [discriminator]: other }]]),
      ),
    ];
  });
}

function change(path: JsonPath, what: string, parts: Change["parts"]): Change {
  const where = pathText(path);
  return { what: where === "" ? what : `${where}: ${what}`, parts };
}

function changesOfType(right: Shape["kind"], path: JsonPath): readonly Change[] {
  return otherTypes(right).map(({ what, value }) => change(path, what, [[path, value]]));
}

function objectChanges(shape: ObjectShape, base: unknown, path: JsonPath, reading: Walk): readonly Change[] {
  return [
    change(path, "unknown property", [[[...path, "x-unknown"], [{ any: null }]]]),
    ...shape.fields.flatMap((field) => fieldChanges(field, base, path, reading)),
    ...shape.fields.flatMap((field) => conditionChanges(field, shape, path, reading)),
    ...[...shape.atLeastOneOf, ...shape.exactlyOneOf].flatMap((group) =>
      groupChanges(group, shape, path, reading),
    ),
    ...pathGroups(shape).flatMap((group) => pathGroupChanges(group, shape, path, reading)),
    ...(shape.exactlyOnePath ?? []).map((group) => allPathsChange(group, shape, path, reading)),
  ];
}

function fieldChanges(field: FieldShape, base: unknown, path: JsonPath, reading: Walk): readonly Change[] {
  return wireNames(field, reading).flatMap((name) => {
    const at = [...path, name];
    const present = partAt(base, at) !== undefined;
    return [
      ...(present ? [change(at, "absent", [[at, absent]])] : []),
      ...(present || reading.resolve(field.shape).kind !== "object"
        ? changesAt(field.shape, base, at, reading)
        : changesOfType("object", at)),
    ];
  });
}

/** Each value that makes a field required, and one that does not: with the field absent, and empty. */
function conditionChanges(
  field: FieldShape,
  shape: ObjectShape,
  path: JsonPath,
  reading: Walk,
): readonly Change[] {
  const { presence } = field;
  if (presence.kind !== "required-when") return [];
  const sibling = shape.fields.find(({ name }) => name === presence.field);
  const others =
    sibling === undefined ? [] : scalarSamples(sibling.shape, presence.values.length + 1, reading);
  const other = others.find((value) => !presence.values.some((trigger) => trigger === value));
  const siblingValues = [...presence.values, ...(other === undefined ? [] : [other]), absent];
  const at = [...path, field.name];
  return siblingValues.flatMap((value) =>
    [absent, ""].map((part) =>
      change(
        at,
        `${part === absent ? "absent" : "empty"} with ${presence.field} ${value === absent ? "absent" : String(value)}`,
        [
          [[...path, presence.field], value],
          [at, part],
        ],
      ),
    ),
  );
}

/** None of a group, each of it alone, each two, and all. */
function groupChanges(
  group: readonly string[],
  shape: ObjectShape,
  path: JsonPath,
  reading: Walk,
): readonly Change[] {
  const pairs = group.flatMap((name, index) => group.slice(index + 1).map((other) => [name, other]));
  const subsets = [[], ...group.map((name) => [name]), ...pairs, ...(group.length > 2 ? [[...group]] : [])];
  return subsets.map((subset) =>
    change(
      path,
      subset.length === 0
        ? `none of ${group.join(", ")}`
        : `of ${group.join(", ")} only ${subset.join(", ")}`,
      group.flatMap((name) => {
        const field = shape.fields.find((candidate) => candidate.name === name);
        if (field === undefined) return [];
        const at = `/${path.map((step) => `${step}/`).join("")}${name}`;
        const value = subset.includes(name) ? fieldInstance(field, at, "minimal", reading) : absent;
        return [[[...path, name], value] as const];
      }),
    ),
  );
}

/** Everything that the paths of a group lead through. */
function allPathsChange(group: PathGroup, shape: ObjectShape, at: JsonPath, reading: Walk): Change {
  const first = new Set(group.map(([name]) => name));
  const parts = shape.fields
    .filter(({ name }) => first.has(name))
    .map((field) => {
      const pointer = `/${at.map((step) => `${step}/`).join("")}${field.name}`;
      return [[...at, field.name], fieldInstance(field, pointer, "maximal", reading)] as const;
    });
  return change(at, `all of ${group.map((path) => path.join(".")).join(", ")}`, parts);
}

/** None of the paths, and each alone: what is absent is the first of a path that may be. */
function pathGroupChanges(
  group: PathGroup,
  shape: ObjectShape,
  at: JsonPath,
  reading: Walk,
): readonly Change[] {
  const names = group.map((path) => path.join(".")).join(", ");
  const without = (kept: readonly string[] | undefined): Change["parts"] =>
    group
      .map((path) => path.slice(0, optionalStep(path, shape, reading) + 1))
      .filter((path) => kept === undefined || !path.every((step, index) => kept[index] === step))
      .map((path) => [[...at, ...path], absent] as const);
  return [
    change(at, `none of ${names}`, without(undefined)),
    ...group.map((kept) => change(at, `of ${names} only ${kept.join(".")}`, without(kept))),
  ];
}

/** The place in a path of the first field that may be absent. */
function optionalStep(path: readonly string[], shape: ObjectShape, reading: Walk): number {
  let within: readonly FieldShape[] = shape.fields;
  for (const [index, step] of path.entries()) {
    const field = within.find(({ name }) => name === step);
    if (field === undefined || field.presence.kind !== "required") return index;
    const resolved = reading.resolve(field.shape);
    within = resolved.kind === "object" ? resolved.fields : [];
  }
  return path.length - 1;
}

function arrayChanges(
  shape: Extract<Shape, { kind: "array" }>,
  base: unknown,
  path: JsonPath,
  reading: Walk,
): readonly Change[] {
  const items = partAt(base, path);
  const first =
    Array.isArray(items) && items.length > 0 ? items[0] : instanceOf(shape.items, "minimal", reading);
  const itemsOf = (count: number) => {
    const different = scalarSamples(shape.items, count, reading);
    return Array.from({ length: count }, (_, index) => different[index] ?? first);
  };
  const borders = [shape.itemsMin, shape.itemsMax].filter((border) => border !== undefined);
  const countMax = Math.min(1_001, sampleCharactersMax / (JSON.stringify(first)?.length ?? 1));
  const counts = new Set([0, 1, 2, ...borders.flatMap((border) => [border - 1, border, border + 1])]);
  return [
    ...[...counts]
      .filter((count) => count >= 0 && count <= countMax)
      .map((count) => change(path, `${count} items`, [[path, itemsOf(count)]])),
    change(path, "the same item twice", [[path, [first, first]]]),
    change(path, "null among the items", [[path, [null]]]),
    ...(Array.isArray(items) && items.length > 0 ? changesAt(shape.items, base, [...path, 0], reading) : []),
  ];
}
