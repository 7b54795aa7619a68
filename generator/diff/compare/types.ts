import { dotted } from "../../print/presence.ts";
import type { Shape, ServiceModel, TypeModel } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Direction } from "../rules/rule.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented, comparePastName } from "./documented.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { compareSince, compareSunset } from "./deprecation.ts";
import { pairUp } from "./pair-up.ts";
import { compareTextsWithin } from "./values/texts.ts";
import { literal } from "./phrases.ts";

/**
 * Which old type is which new one, by new name: the one with the same name, the one named by `renamedFrom`, or the
 * one with the same fields or values whose name is gone.
 */
export function pairTypes(old: ServiceModel, recent: ServiceModel): ReadonlyMap<string, TypeModel> {
  const { pairs } = pairUp(old.types, recent.types, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    alike: [(before, now) => isStructured(now) && wireText(before.shape) === wireText(now.shape)],
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
  const { old, new: recent, types, report } = comparison;
  const kept = new Set(types.values());
  for (const type of old.types.filter((each) => !kept.has(each))) {
    const path = `types/${type.name}`;
    const notes = compareSunset(comparison, path, `\`${type.name}\``, type, recent.span);
    report("type-removed", { path, facts: { name: type.name }, notes, old: type.span, near: recent.span });
  }
  for (const type of recent.types) {
    const before = types.get(type.name);
    const path = `types/${type.name}`;
    if (before === undefined) {
      report("type-added", { path, facts: { name: type.name }, new: type.span });
      compareSince(comparison, path, `\`${type.name}\``, type);
      continue;
    }
    compareType(comparison, path, before, type, reached.get(type.name) ?? new Set());
  }
}

function compareType(
  comparison: Comparison,
  path: string,
  old: TypeModel,
  recent: TypeModel,
  travels: ReadonlySet<Direction>,
): void {
  const name = `\`${recent.name}\``;
  const places = { old: old.span, new: recent.span };
  if (old.name !== recent.name) {
    comparison.report("type-renamed", {
      path,
      facts: { name: recent.name, from: old.name, to: recent.name },
      ...places,
    });
  } else compareGeneratedNames(comparison, path, recent.name, old, recent);
  compareDocumented(comparison, path, name, old, recent);
  comparePastName(comparison, path, name, old, recent, old.name !== recent.name);
  if (literal(old.example) !== literal(recent.example)) {
    const facts = { name, from: literal(old.example), to: literal(recent.example) };
    comparison.report("example-changed", {
      path,
      facts,
      old: locate(old.span, "example"),
      new: locate(recent.span, "example"),
    });
  }
  compareTextsWithin(comparison, { path, of: name, travels }, old.shape, recent.shape);
  if (travels.size === 0 && wireText(old.shape) !== wireText(recent.shape)) {
    comparison.report("unused-type-changed", { path, facts: { name: recent.name }, ...places });
  }
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
