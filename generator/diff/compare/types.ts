import { oncePer } from "../../language/source/once-per.ts";
import { dotted } from "../../print/presence.ts";
import type { ServiceModel, Shape, TypeModel } from "../../model/index.ts";
import type { Direction } from "../rules/rule.ts";
import type { Comparison } from "./comparison.ts";
import { compareDefinitions, compareNamed, differs } from "./definitions.ts";
import { nameOf, pairUp, type Pair } from "./pair-up.ts";
import { code, literal } from "./phrases.ts";
import { compareTextsWithin } from "./values/texts.ts";

/**
 * Which old type is which new one, by new name: the one with the same name, the one named by `renamedFrom`, or the
 * one with the same fields or values whose name is gone.
 */
export function pairTypes(old: ServiceModel, recent: ServiceModel): ReadonlyMap<string, TypeModel> {
  return typesSince(recent)(old);
}

/** Every change of a migration note asks for them. */
const typesSince = oncePer((recent: ServiceModel) =>
  oncePer((old: ServiceModel) => pairedTypes(old, recent)),
);

function pairedTypes(old: ServiceModel, recent: ServiceModel): ReadonlyMap<string, TypeModel> {
  const { pairs } = pairUp(old.types, recent.types, {
    nameOf,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    alike: [(type) => (isStructured(type) ? [wireText(type.shape)] : [])],
  });
  return new Map(pairs.map((pair) => [pair.new.name, pair.old]));
}

function isStructured({ shape }: TypeModel): boolean {
  return shape.kind === "object" || shape.kind === "enum";
}

/** Types that come, go and change their names, and what is said of those that stay. */
export function compareTypes(
  comparison: Comparison,
  reached: ReadonlyMap<string, ReadonlySet<Direction>>,
): void {
  const { old, new: recent, types } = comparison;
  const kept = new Set(types.values());
  const found = {
    removed: old.types.filter((each) => !kept.has(each)),
    added: recent.types.filter(({ name }) => !types.has(name)),
    pairs: recent.types.flatMap((type) => {
      const before = types.get(type.name);
      return before === undefined ? [] : [{ old: before, new: type }];
    }),
  };
  const kind = { old: old.types, new: recent.types, kind: "type", nameOf, path, title } as const;
  for (const pair of compareDefinitions(comparison, kind, found))
    compareType(comparison, pair, reached.get(pair.new.name) ?? new Set());
}

function path({ name }: TypeModel): string {
  return `types/${name}`;
}

function title({ name }: TypeModel): string {
  return code(name);
}

function compareType(comparison: Comparison, pair: Pair<TypeModel>, travels: ReadonlySet<Direction>): void {
  const { old, new: recent } = pair;
  const thing = { ...pair, path: path(recent), name: recent.name };
  const of = title(recent);
  compareNamed(comparison, { ...thing, title: of, formerName: old.name, renamed: "type-renamed" });
  const report = comparison.at({ ...thing, name: of });
  differs(report, "example-changed", literal(old.example), literal(recent.example), "example");
  compareTextsWithin(comparison, { path: thing.path, of, travels }, old.shape, recent.shape);
  if (travels.size === 0 && wireText(old.shape) !== wireText(recent.shape))
    comparison.at(thing)("unused-type-changed");
}

/** Everything about a shape that may be seen on the wire, as text; the order of fields and values means nothing. */
function wireText(shape: Shape): string {
  switch (shape.kind) {
    case "enum":
      return `enum ${shape.values
        .map(({ value }) => (typeof value === "string" ? value : JSON.stringify([value])))
        .toSorted()
        .join()}`;
    case "array":
      return JSON.stringify([
        shape.kind,
        wireText(shape.items),
        shape.itemsMin,
        shape.itemsMax,
        shape.unique,
      ]);
    case "object":
      return JSON.stringify([
        shape.fields
          .map(({ name, presence, spellings, alsoSentAs, shape: inner }) =>
            JSON.stringify([name, presence, spellings.toSorted(), alsoSentAs, wireText(inner)]),
          )
          .toSorted(),
        shape.atLeastOneOf.map((group) => group.toSorted().join()).toSorted(),
        shape.exactlyOneOf.map((group) => group.toSorted().join()).toSorted(),
        (shape.atLeastOnePath ?? []).map((group) => dotted(group).toSorted().join()).toSorted(),
        (shape.exactlyOnePath ?? []).map((group) => dotted(group).toSorted().join()).toSorted(),
      ]);
    default:
      return JSON.stringify(Object.entries(shape).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
