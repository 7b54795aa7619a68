import type { ExampleSpec, MethodSpec, Name, PayloadSpec, ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { checkErrorCode } from "./references.ts";
import {
  canonicalValue,
  isJsonObject,
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
import { resolvedValueShape, valueShape, type ValueDirection } from "../shape-from.ts";

/** Examples are what the types say, and errors in them are ones that the method gives. */
export function checkExamples(context: RuleContext): void {
  const { spec, objects, scope } = context;
  const report = (mismatches: readonly Mismatch[]): void => {
    for (const { span, ...params } of mismatches) context.report("example-mismatch", span, params);
  };
  for (const type of spec.types) {
    if (type.example !== undefined) report(mismatchesOf(type.example, type.shape, scope, "any"));
  }
  for (const field of objects.flatMap((object) => object.fields)) {
    if (field.default !== undefined) {
      const [problem] = mismatchesOf(field.default, field.shape, scope, "request");
      if (problem !== undefined) context.report("default-mismatch", problem.span, { reason: problem.reason });
    }
    if (field.example !== undefined) report(mismatchesOf(field.example, field.shape, scope, "any"));
  }
  for (const method of spec.methods) {
    for (const example of method.examples) {
      checkOutcome(example, method, context);
      if (example.result !== undefined)
        report(mismatchesOf(example.result, method.result, scope, "response"));
      if (example.error !== undefined || example.payload === undefined) continue;
      report(payloadMismatches(example.payload, method.payload, scope));
    }
  }
}

/** One of result and error; the payload of an example that fails may be wrong on purpose. */
function checkOutcome(example: ExampleSpec, method: MethodSpec, context: RuleContext): void {
  const { report } = context;
  const hasResult = example.result !== undefined;
  const { error } = example;
  if (hasResult === (error !== undefined)) {
    report("example-outcome", example.span, { name: example.name, both: hasResult });
  }
  if (error !== undefined) checkErrorGiven(error, method, context);
}

/** The error is one that the method gives. */
export function checkErrorGiven(error: Name, method: MethodSpec, context: RuleContext): void {
  const { report, scope } = context;
  const declared = scope.errors.get(error.value);
  if (declared === undefined) {
    checkErrorCode(error, context);
    return;
  }
  const given =
    declared.everyMethod ||
    method.errors.some((own) => own.code.value === error.value) ||
    scope.faults?.codes.some(({ code }) => code.value === error.value) === true ||
    scope.auth?.members.some((member) => member.missing?.value === error.value) === true;
  if (!given) report("example-error-not-given", error.span, { code: error.value, method: method.name.value });
}

/** Where an example departs from its type, and how. */
export interface Mismatch {
  readonly span: Span;
  readonly reason: string;
  readonly suggestion: string | undefined;
}

/** Every place where an example departs from its type, by the reference check of values. */
function mismatchesOf(
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

/** Why a value does not fit its type; `name` is the member that is missing or too much. */
export function problemWords({ kind, expected, found, known }: Problem, name: string): string {
  switch (kind) {
    case "absent":
      return `\`${name}\` is missing`;
    case "surplus":
      return `there is no field \`${name}\``;
    case "empty":
      return "a required text is not empty";
    case "value":
      return known === undefined
        ? `it can only be ${expected}`
        : `${inWords(found)} is not one of its values`;
    case "alternative":
      return `expected a value ${expected}`;
    case "group":
    case "repeated":
      return `expected ${expected}`;
    case "items":
      return `expected ${expected}, found ${Array.isArray(found) ? found.length : "none"}`;
    case "type":
      return `expected ${expected}, found ${kindOf(found)}`;
    default:
      return `expected ${expected}, found ${inWords(found)}`;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isJsonObject(value)) return "an object";
  return typeof value === "string" || typeof value === "number" ? `a ${typeof value}` : String(value);
}

/** A value in a message; long texts are cut. */
function inWords(value: unknown): string {
  const text = String(value);
  return text.length <= 60 ? `\`${text}\`` : `\`${text.slice(0, 57)}…\``;
}
