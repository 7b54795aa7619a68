import {
  canonicalValue,
  problemsOf,
  type Problem,
  type Reading,
  type Renamed,
  type Shape,
} from "../../../conformance/values/index.ts";
import type { Span } from "../source/index.ts";
import { valueOf, type Entry, type Node } from "../syntax/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import type { Scope } from "../references/scope.ts";
import type { PayloadSpec, ShapeSpec } from "../spec.ts";
import { resolvedValueShape, valueShape, type ValueDirection } from "../value-shape.ts";
import { problemWords } from "./problem-words.ts";

/** Where an example departs from its type, and how. */
export interface Mismatch {
  readonly span: Span;
  readonly reason: string;
  readonly suggestion: string | undefined;
}

/** Every place where an example departs from its type, by the reference check of values. */
export function mismatchesOf(
  node: Node,
  spec: ShapeSpec,
  scope: Scope,
  direction: ValueDirection,
): readonly Mismatch[] {
  return heldAgainst(node, spec, scope, direction, () => true);
}

function heldAgainst(
  node: Node,
  spec: ShapeSpec,
  scope: Scope,
  direction: ValueDirection,
  counts: (problem: Problem) => boolean,
): readonly Mismatch[] {
  return mismatchesIn(node, valueShape(spec, direction), readingOf(scope, direction), counts);
}

/** The same, where the shape is known already. */
export function mismatchesIn(
  node: Node,
  shape: Shape,
  reading: Reading,
  counts: (problem: Problem) => boolean = () => true,
): readonly Mismatch[] {
  const keyOf = (name: string): string => (reading.direction === "request" ? name.toLowerCase() : name);
  const renamed = canonicalValue(shape, valueOf(node), reading, keyOf);
  return located(node, renamed, problemsOf(shape, renamed.payload, reading).filter(counts));
}

/** The same of a payload; with several forms, of the form that the example comes closest to. */
export function payloadMismatches(node: Node, payload: PayloadSpec, scope: Scope): readonly Mismatch[] {
  if (payload.kind !== "forms") return mismatchesOf(node, payload, scope, "request");
  const byForm = payload.forms.map((form) => mismatchesOf(node, form.shape, scope, "request"));
  return byForm.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** The same of some members of a payload, each as it stands: what is not there comes from elsewhere. */
export function memberMismatches(node: Node, payload: PayloadSpec, scope: Scope): readonly Mismatch[] {
  const shapes = payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload];
  const byForm = shapes.map((shape) => heldAgainst(node, shape, scope, "request", isOfMember));
  return byForm.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function isOfMember({ kind, at }: Problem): boolean {
  if (kind === "group") return at !== "";
  return kind !== "absent" || at.split("/").length > 2;
}

function readingOf(scope: Scope, direction: ValueDirection): Reading {
  return {
    direction: direction === "request" ? "request" : "response",
    example: true,
    resolve: (shape) => resolvedValueShape(shape, scope, direction),
  };
}

/** Nothing is said of what YAML could not read, and what stands in it: that has been reported. */
function located(
  node: Node,
  { doubled, written }: Renamed,
  problems: readonly Problem[],
): readonly Mismatch[] {
  const twice = doubled.flatMap((at): Mismatch[] => {
    const { entry } = placeOf(node, at, written);
    const reason = `\`${entry?.key ?? at}\` and another spelling of it are both there`;
    return entry === undefined ? [] : [{ span: entry.keySpan, reason, suggestion: undefined }];
  });
  const found = problems.flatMap((problem): Mismatch[] => {
    const { entry, at, around, isUnread } = placeOf(node, problem.at, written);
    if (isUnread) return [];
    const isOfName = problem.kind === "surplus" && entry !== undefined;
    const isOfMembers = problem.kind === "absent" || problem.kind === "group";
    const owner = at ?? around;
    if (isOfMembers && owner.kind === "map" && owner.isOpen === true) return [];
    const span = isOfName ? entry.keySpan : isOfMembers ? startOf(owner) : owner.span;
    const name = problem.at.slice(problem.at.lastIndexOf("/") + 1);
    const wrong = isOfName ? entry.key : String(problem.found);
    const suggestion = problem.known && closest(wrong, problem.known);
    return [{ span, reason: problemWords(problem, isOfName ? entry.key : name), suggestion }];
  });
  return [...twice, ...found];
}

/** Where members would stand: at the first of them. */
function startOf(node: Node): Span {
  return (node.kind === "map" ? node.entries[0]?.keySpan : undefined) ?? node.span;
}

interface Place {
  /** The value; undefined where nothing is written. */
  readonly at: Node | undefined;
  /** The innermost value around it, or itself. */
  readonly around: Node;
  /** The member that it is. */
  readonly entry: Entry | undefined;
  readonly isUnread: boolean;
}

/** Where a JSON Pointer in canonical names leads. */
function placeOf(root: Node, pointer: string, written: ReadonlyMap<string, string>): Place {
  let at: Node | undefined = root;
  let around = root;
  let entry: Entry | undefined;
  let canonical = "";
  for (const step of pointer.split("/").slice(1)) {
    if (at === undefined) break;
    around = at;
    canonical += `/${step}`;
    const key = written.get(canonical) ?? step.replaceAll("~1", "/").replaceAll("~0", "~");
    entry = at.kind === "map" ? at.entries.find((each) => each.key === key) : undefined;
    at = at.kind === "list" ? at.items[Number(step)] : entry?.value;
  }
  return { at, around: at ?? around, entry, isUnread: (at ?? around).kind === "unreadable" };
}
