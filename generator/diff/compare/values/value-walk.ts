import type { RefShape, ServiceModel, Shape, TypeModel } from "../../../model/index.ts";
import type { FamilyName, SingleRuleId } from "../../rules/index.ts";
import { factsOf, type Finding } from "../../rules/change.ts";
import { locate, type Comparison, type Found, type Places } from "../comparison.ts";
import type { Direction } from "../../rules/rule.ts";

/** A place in a value that travels one way, as a comparison stands at it. */
export interface Step {
  readonly path: string;
  readonly direction: Direction;
  /** The kind of part: a field, a type, the payload. */
  readonly name: string;
  /** Its owner, as a phrase. */
  readonly of: string;
  readonly places: Places;
  /** Whether it is a required field itself: then a string in a request is not empty. */
  readonly requiredBefore: boolean;
  readonly requiredNow: boolean;
  /** Whether the names of its fields are not sent: parameters by position alone. */
  readonly isNameless?: boolean;
  /** Pairs of differently named types on the way here, so that a recursive type is not followed for ever. */
  readonly trail: readonly string[];
  /** The named types that the values there are of, where that is known. */
  readonly types?: { readonly old?: string | undefined; readonly new?: string | undefined };
  /** The type, method or event that the step is part of. */
  readonly owner: Owner;
}

/** A type or method whose values are compared once, also where several paths reach it. */
export interface Owner {
  readonly findings: Finding[];
  /** Pairs of types that its values are made of. */
  readonly reaches: Set<string>;
}

/** A method or an event, of which values travel. */
interface Root extends Owner {
  readonly label: string;
}

interface TypeNode extends Owner {
  readonly old: TypeModel;
  readonly new: TypeModel;
  readonly direction: Direction;
  readonly roots: Set<string>;
}

/** A shape that is no reference. */
export type Resolved = Exclude<Shape, RefShape>;

export type CompareShapes = (walk: ValueWalk, step: Step, old: Shape, recent: Shape) => void;

export interface ValueWalk {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
  readonly comparison: Comparison;
  find(family: FamilyName, step: Step, found: Partial<Found>): void;
  /** Finds something that has no family: a rule for one direction. */
  findSingle(rule: SingleRuleId, step: Step, found: Partial<Found>): void;
  /** Remembers that the step is made of this pair of types, which is compared once for all who reach it. */
  reach(step: Step, old: TypeModel, recent: TypeModel): void;
}

export interface Traversal {
  /** Compares what a method or event sends. */
  start(
    label: string,
    step: Pick<Step, "path" | "direction" | "name" | "places" | "isNameless">,
    old: Shape,
    recent: Shape,
  ): void;
  /** Reports all that was found, each change once with everything that reaches it. */
  finish(): void;
  /** Which ways values of a type travel in both revisions, by new name. */
  readonly reached: ReadonlyMap<string, ReadonlySet<Direction>>;
}

export function createTraversal(comparison: Comparison, compare: CompareShapes): Traversal {
  const roots: Root[] = [];
  const nodes = new Map<string, TypeNode>();
  const reached = new Map<string, Set<Direction>>();
  const queue: TypeNode[] = [];
  const walk: ValueWalk = {
    old: comparison.old,
    new: comparison.new,
    comparison,
    find: (family, step, found) => push(`${step.direction}-${family}`, step, found),
    findSingle: push,
    reach({ direction, owner }, old, recent) {
      const key = [direction, old.name, recent.name].join(" ");
      owner.reaches.add(key);
      if (nodes.has(key)) return;
      const node = {
        old,
        new: recent,
        direction,
        findings: [],
        reaches: new Set<string>(),
        roots: new Set<string>(),
      };
      nodes.set(key, node);
      reached.set(recent.name, (reached.get(recent.name) ?? new Set()).add(direction));
      queue.push(node);
    },
  };
  return {
    reached,
    start(label, step, old, recent) {
      const root: Root = { label, findings: [], reaches: new Set() };
      roots.push(root);
      const whole = { of: "", requiredBefore: true, requiredNow: true, trail: [], owner: root } as const;
      compare(walk, { ...step, ...whole }, old, recent);
    },
    finish() {
      for (let node = queue.shift(); node !== undefined; node = queue.shift())
        compareNode(walk, node, compare);
      for (const root of roots) spread(root, nodes);
      for (const root of roots) {
        for (const finding of root.findings) comparison.add({ ...finding, reaches: [root.label] });
      }
      for (const node of nodes.values()) {
        for (const finding of node.findings)
          comparison.add({ ...finding, reaches: [...node.roots].toSorted() });
      }
    },
  };
}

function push(rule: string, step: Step, { facts, ...found }: Partial<Found>): void {
  const { path, direction, name, of, places, owner } = step;
  const isNamed = facts?.of !== undefined || (facts?.name !== undefined && facts.name !== name);
  owner.findings.push({
    rule,
    path,
    direction,
    ...places,
    ...found,
    facts: factsOf({ name, of, ...facts, ...(isNamed ? {} : calledIn(step)) }),
  });
}

/**
 * The names of the value that a step stands at, and its owner. One that travels whole, `the result of …`, is a part
 * of what sends it, as a field is of its type.
 */
export function calledIn({ name, of }: Step): { readonly name: string; readonly of: string } {
  const [, part = name, owner = of] = (of === "" && /^the (\S+) of (.+)$/.exec(name)) || [];
  return { name: part, of: owner };
}

/** Where a key of what the step stands at is written. */
export function placesAt({ places: { old, new: recent, near } }: Step, key: string): Places {
  return { old: old && locate(old, key), new: recent && locate(recent, key), near };
}

function compareNode(walk: ValueWalk, node: TypeNode, compare: CompareShapes): void {
  const { old, new: recent, direction } = node;
  const step: Step = {
    path: `types/${recent.name}`,
    direction,
    name: recent.name,
    of: "this interface",
    places: { old: old.span, new: recent.span },
    requiredBefore: false,
    requiredNow: false,
    trail: [],
    owner: node,
  };
  compare(walk, step, old.shape, recent.shape);
}

function spread(root: Root, nodes: ReadonlyMap<string, TypeNode>): void {
  const open = [...root.reaches];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const node = nodes.get(key);
    if (node === undefined || node.roots.has(root.label)) continue;
    node.roots.add(root.label);
    open.push(...node.reaches);
  }
}
