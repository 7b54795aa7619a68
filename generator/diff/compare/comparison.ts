import type { SourceText, Span } from "../../language/source/index.ts";
import type { ServiceModel, TypeModel } from "../../model/index.ts";
import type { SingleRuleId } from "../rules/index.ts";
import { changeOf, factsOf, type Change, type Finding } from "../rules/change.ts";
import type { Facts } from "../rules/rule.ts";
import { parseYaml, type MapNode, type Node } from "../../language/syntax/index.ts";
import { oncePer } from "../../language/source/once-per.ts";

/** Two revisions of an interface, and what was found between them so far. */
export interface Comparison {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
  /** Which old type is which new one, by new name. */
  readonly types: ReadonlyMap<string, TypeModel>;
  report(rule: SingleRuleId, found: Found): void;
  /** Reports of one thing. */
  at(thing: Thing): Report;
  add(finding: Finding): void;
  readonly changes: readonly Change[];
}

/** A finding, with the facts that apply. */
export type Found = Omit<Finding, "rule" | "facts"> & {
  readonly facts: Partial<Facts> & Pick<Facts, "name">;
};

/** Something in both revisions, or in one of them, as a comparison stands at it. */
export interface Thing extends Pick<Finding, "path" | "reaches" | "without" | "near"> {
  readonly name: string;
  readonly of?: string;
  readonly old?: Located | undefined;
  readonly new?: Located | undefined;
}

export interface Located {
  readonly span: Span;
}

/** Reports a change of a thing. The keys lead from its name to where that is written. */
export type Report = (
  rule: SingleRuleId,
  said?: Partial<Facts> & Pick<Finding, "notes" | "without">,
  ...keys: readonly string[]
) => void;

export function createComparison(
  old: ServiceModel,
  recent: ServiceModel,
  types: ReadonlyMap<string, TypeModel>,
): Comparison {
  const changes = new Map<string, Change>();
  const add = (finding: Finding): void => {
    const change = changeOf(finding);
    if (!changes.has(change.fingerprint)) changes.set(change.fingerprint, change);
  };
  return {
    old,
    new: recent,
    types,
    add,
    report: (rule, { facts, ...found }) => add({ rule, facts: factsOf(facts), ...found }),
    at: ({ name, of = "", old: before, new: now, near = recent.span, ...thing }) => {
      return (rule, { notes, without = thing.without, ...facts } = {}, ...keys) =>
        add({
          rule,
          facts: factsOf({ name, of, ...facts }),
          ...thing,
          notes: notes ?? [],
          without: without ?? [],
          old: before && locate(before.span, ...keys),
          new: now && locate(now.span, ...keys),
          near,
        });
    },
    get changes() {
      return withoutRestated([...changes.values()]);
    },
  };
}

/** A constraint that is new in answers does not repeat that it says the same as before in requests. */
function withoutRestated(changes: readonly Change[]): readonly Change[] {
  const others = new Set(changes.filter(({ rule }) => rule !== restated).map(essenceOf));
  return changes.filter((change) => change.rule !== restated || !others.has(essenceOf(change)));
}

const restated = "constraint-restated";

function essenceOf({ path, facts: { name, from, to } }: Change): string {
  return JSON.stringify([path, name, from, to]);
}

/** Where something stands in both revisions. */
export interface Places {
  readonly old?: Span | undefined;
  readonly new?: Span | undefined;
  readonly near?: Span | undefined;
}

/**
 * The place of something inside a definition: `at` is the span of the definition's name, `keys` lead from there, a
 * key of a mapping or an item of a list each. Follows them as far as they go; the definition's name where nothing
 * leads on, or where the file cannot be read as YAML.
 */
export function locate(at: Span, ...keys: readonly string[]): Span {
  let node = definitionOf(at);
  let span = at;
  for (const key of keys) {
    if (node?.kind === "map") {
      const entry = node.entries.find((candidate) => candidate.key === key);
      if (entry === undefined) return span;
      span = entry.value.kind === "scalar" && entry.value.value !== null ? entry.value.span : entry.keySpan;
      node = entry.value;
    } else if (node?.kind === "list") {
      const item = node.items.find((each) => each.kind === "scalar" && each.value === key);
      if (item === undefined) return span;
      span = item.span;
      node = item;
    }
  }
  return span;
}

/** The definition whose name is at a span. */
function definitionOf({ source, start }: Span): Node | undefined {
  return definitionsOf(source).get(start);
}

const definitionsOf = oncePer(indexed);

/** By the offset of its key, or, for an item of a list, of the values that name it. */
function indexed(source: SourceText): ReadonlyMap<number, Node> {
  const found = new Map<number, Node>();
  const visit = (node: Node): void => {
    if (node.kind === "list") for (const item of node.items) visit(item);
    if (node.kind !== "map") return;
    index(node);
    for (const { value } of node.entries) visit(value);
  };
  const index = (map: MapNode): void => {
    for (const { key, keySpan, value } of map.entries) {
      found.set(keySpan.start, value);
      if (["name", "value", "from"].includes(key) && value.kind === "scalar")
        found.set(value.span.start, map);
    }
  };
  const root = source.text === "" ? undefined : parseYaml(source).value;
  if (root !== undefined) visit(root);
  return found;
}
