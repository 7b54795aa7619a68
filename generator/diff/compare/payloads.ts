import type { FormModel, MethodModel, ObjectTypeShape, PayloadModel, Shape } from "../../model/index.ts";
import { locate } from "./locate.ts";
import { ruleOf } from "../rules/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented } from "./documented.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { compareSince, compareSunset } from "./deprecation.ts";
import { pairUp, type Pair } from "./pair-up.ts";
import { compareShapes } from "./values/shapes.ts";
import { compareTextsWithin, sameType } from "./values/texts.ts";
import { createTraversal, type Traversal } from "./values/value-walk.ts";
import { createComparison } from "./comparison.ts";
import { code, codeList, literal } from "./phrases.ts";

type Single = Extract<PayloadModel, { kind: "single" }>;
type Forms = Extract<PayloadModel, { kind: "forms" }>;

/** Compares the payloads of an operation: one object, or one of several forms. */
export function comparePayloads(
  comparison: Comparison,
  traversal: Traversal,
  { old, new: recent }: Pair<MethodModel>,
): void {
  const [before, now] = [old.payload, recent.payload];
  const part: Part = {
    comparison,
    traversal,
    method: recent.name,
    path: `${recent.name}/payload`,
    of: `the payload of \`${recent.name}\``,
    places: { old: locate(old.span, "payload"), new: locate(recent.span, "payload") },
  };
  if (before.kind === "single" && now.kind === "single") compareSingle(part, before, now);
  else if (before.kind === "forms" && now.kind === "forms") compareForms(part, before, now);
  else if (before.kind === "single" && now.kind === "forms") toForms(part, before, now);
  else if (before.kind === "forms" && now.kind === "single") toSingle(part, before, now);
}

/** A payload or one of its forms, as a comparison stands at it. */
interface Part {
  readonly comparison: Comparison;
  readonly traversal: Traversal;
  readonly method: string;
  readonly path: string;
  readonly of: string;
  readonly places: {
    readonly old: Pair<MethodModel>["old"]["span"];
    readonly new: Pair<MethodModel>["new"]["span"];
  };
}

function compareSingle(part: Part, old: Single, recent: Single): void {
  const { comparison, path, places, method } = part;
  const [before, now] = [shapeOf(old), shapeOf(recent)];
  compareValues(part, before, now);
  if (sameType(comparison, before, now)) return;
  const facts = {
    name: "payload",
    of: code(method),
    from: code(old.type ?? "object"),
    to: code(recent.type ?? "object"),
  };
  comparison.report("named-type-changed", { path, facts, ...places });
}

function shapeOf({ type, shape }: Single): Shape {
  return type === undefined ? shape : { kind: "ref", type };
}

function compareValues(
  { comparison, traversal, method, path, of, places }: Part,
  old: Shape,
  recent: Shape,
): void {
  const step = {
    path,
    direction: "request",
    name: of,
    of: "",
    places,
    requiredBefore: true,
    requiredNow: true,
  } as const;
  traversal.start(method, step, old, recent);
  if (sameType(comparison, old, recent))
    compareTextsWithin(comparison, { path, of, travels: new Set(["request"]) }, old, recent);
}

function compareForms(part: Part, old: Forms, recent: Forms): void {
  const { comparison, method, path, of, places } = part;
  const reaches = [method];
  if (old.selectedBy !== recent.selectedBy) {
    const facts = { name: method, of, from: selectorText(old), to: selectorText(recent) };
    comparison.report("forms-selector-changed", { path, facts, ...places, reaches });
  }
  const { pairs, removed, added } = pairUp(old.forms, recent.forms, {
    nameOf: ({ name }) => name,
    alike: [
      (before, now) =>
        selectorOf(old, before) !== undefined && selectorOf(old, before) === selectorOf(recent, now),
      (before, now) => isSameForm(comparison, before, now),
    ],
  });
  for (const form of removed) {
    const at = `${path}[${form.name}]`;
    const notes = compareSunset(comparison, at, `the form \`${form.name}\` of ${of}`, form, places.new);
    const facts = { name: form.name, of };
    comparison.report("form-removed", { path: at, facts, old: form.span, near: places.new, notes, reaches });
  }
  for (const form of added) {
    const at = `${path}[${form.name}]`;
    comparison.report("form-added", { path: at, facts: { name: form.name, of }, new: form.span, reaches });
    compareSince(comparison, at, `the form \`${form.name}\` of ${of}`, form);
  }
  for (const pair of pairs) compareForm(part, pair);
}

function compareForm(part: Part, { old, new: recent }: Pair<FormModel>): void {
  const { comparison, method } = part;
  const path = `${part.path}[${recent.name}]`;
  const of = `the form \`${recent.name}\` of ${part.of}`;
  const places = { old: old.span, new: recent.span };
  if (old.name !== recent.name) {
    const facts = { name: recent.name, of: part.of, from: old.name, to: recent.name };
    comparison.report("form-renamed", { path, facts, ...places, reaches: [method] });
  } else compareGeneratedNames(comparison, path, recent.name, old, recent);
  compareDocumented(comparison, path, of, old, recent);
  compareValues({ ...part, path, of, places }, old.shape, recent.shape);
}

function toForms(part: Part, old: Single, recent: Forms): void {
  const { comparison, method, path, of, places } = part;
  const successor = recent.forms.find((form) => takesAll(comparison, old.shape, form.shape));
  const rule = successor === undefined ? "payload-to-forms" : "payload-to-forms-compatibly";
  const facts = { name: method, of, from: successor?.name ?? "", to: formNames(recent) };
  comparison.report(rule, { path, facts, ...places, reaches: [method] });
}

function toSingle(part: Part, old: Forms, recent: Single): void {
  const { comparison, method, path, of, places } = part;
  const isSuccessor = old.forms.every((form) => takesAll(comparison, form.shape, recent.shape));
  const rule = isSuccessor ? "forms-to-payload-compatibly" : "forms-to-payload";
  comparison.report(rule, {
    path,
    facts: { name: method, of, from: formNames(old) },
    ...places,
    reaches: [method],
  });
}

/** Whether every request of the one shape is a request of the other. */
function takesAll(
  { old, new: recent, types }: Comparison,
  before: ObjectTypeShape,
  now: ObjectTypeShape,
): boolean {
  return requestChanges({ old, new: recent, types }, before, now).every(
    (rule) => ruleOf(rule).effects.callers?.severity === "info" || ruleOf(rule).effects.callers === undefined,
  );
}

/** The constant by which a form differs from the others on the wire, as text; undefined where none does. */
function selectorOf({ selectedBy }: Forms, { shape }: FormModel): string | undefined {
  const held = shape.fields.find(({ name }) => name === selectedBy)?.shape;
  return held !== undefined && "const" in held && held.const !== undefined ? literal(held.const) : undefined;
}

/** Whether two forms of different names are the same to callers and handlers. */
function isSameForm({ old, new: recent, types }: Comparison, before: FormModel, now: FormModel): boolean {
  return requestChanges({ old, new: recent, types }, before.shape, now.shape).length === 0;
}

/** The rules that two shapes raise in requests, compared on their own. */
function requestChanges(
  { old, new: recent, types }: Pick<Comparison, "old" | "new" | "types">,
  before: ObjectTypeShape,
  now: ObjectTypeShape,
): readonly string[] {
  const aside = createComparison(old, recent, types);
  const traversal = createTraversal(aside, compareShapes);
  const step = {
    path: "",
    direction: "request",
    name: "",
    of: "",
    places: {},
    requiredBefore: true,
    requiredNow: true,
  } as const;
  traversal.start("", step, before, now);
  traversal.finish();
  return aside.changes.map(({ rule }) => rule);
}

function formNames({ forms }: Forms): string {
  return codeList(forms.map(({ name }) => name));
}

function selectorText({ selectedBy }: Forms): string {
  return selectedBy === "stored" ? "what is stored" : `the field \`${selectedBy}\``;
}
