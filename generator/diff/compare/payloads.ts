import type { FormModel, MethodModel, ObjectTypeShape, PayloadModel, Shape } from "../../model/index.ts";
import { ruleOf } from "../rules/index.ts";
import { createComparison, locate, type Comparison, type Report } from "./comparison.ts";
import { compareDefinitions, compareNamed, differs } from "./definitions.ts";
import type { Pair } from "./pair-up.ts";
import { codeList, literal } from "./phrases.ts";
import { compareShapes } from "./values/shapes.ts";
import { compareTravelling } from "./values/texts.ts";
import { createTraversal, type Step, type Traversal } from "./values/value-walk.ts";

type Single = Extract<PayloadModel, { kind: "single" }>;
type Forms = Extract<PayloadModel, { kind: "forms" }>;

/** Compares the payloads of an operation: one object, or one of several forms. */
export function comparePayloads(
  comparison: Comparison,
  traversal: Traversal,
  { old, new: recent }: Pair<MethodModel>,
): void {
  const [before, now] = [old.payload, recent.payload];
  const { name } = recent;
  const [path, of] = [`${name}/payload`, `the payload of \`${name}\``];
  const places = { old: locate(old.span, "payload"), new: locate(recent.span, "payload") };
  const spans = { old: { span: places.old }, new: { span: places.new } };
  const report = comparison.at({ path, name, of, ...spans, reaches: [name] });
  const isNameless = [old, recent].every(({ transport }) => transport.params === "by-position");
  const compareValues: CompareValues = (at, was, is) =>
    compareTravelling(
      comparison,
      traversal,
      { label: name, direction: "request", isNameless, ...at },
      was,
      is,
    );
  if (before.kind === "single" && now.kind === "single")
    compareValues({ path, of, places }, shapeOf(before), shapeOf(now));
  else if (before.kind === "forms" && now.kind === "forms")
    compareForms({ comparison, name, path, of, places, report, compareValues }, before, now);
  else if (before.kind === "single" && now.kind === "forms") {
    const successor = now.forms.find((form) => takesAll(comparison, before.shape, form.shape));
    const rule = successor === undefined ? "payload-to-forms" : "payload-to-forms-compatibly";
    report(rule, { from: successor?.name ?? "", to: formNames(now) });
  } else if (before.kind === "forms" && now.kind === "single") {
    const isSuccessor = before.forms.every((form) => takesAll(comparison, form.shape, now.shape));
    report(isSuccessor ? "forms-to-payload-compatibly" : "forms-to-payload", { from: formNames(before) });
  }
}

type CompareValues = (at: Pick<Step, "path" | "of" | "places">, old: Shape, recent: Shape) => void;

/** A payload of several forms, as a comparison stands at it. */
interface FormsPart extends Pick<Step, "path" | "of" | "places" | "name"> {
  readonly comparison: Comparison;
  readonly report: Report;
  readonly compareValues: CompareValues;
}

function shapeOf({ type, shape }: Single): Shape {
  return type === undefined ? shape : { kind: "ref", type };
}

function compareForms(part: FormsPart, old: Forms, recent: Forms): void {
  const { comparison, name, of } = part;
  differs(part.report, "forms-selector-changed", selectorText(old), selectorText(recent));
  const pathOf = (form: FormModel): string => `${part.path}[${form.name}]`;
  const titleOf = (form: FormModel): string => `the form \`${form.name}\` of ${of}`;
  const pairs = compareDefinitions(comparison, {
    old: old.forms,
    new: recent.forms,
    kind: "form",
    nameOf: (form) => form.name,
    alike: [
      (form, side) => selectorOf(side === "old" ? old : recent, form),
      (form, side) => {
        if (side === "new") return [form.name];
        const same = recent.forms.filter((now) => isSameForm(comparison, form, now));
        return same.map(({ name }) => name);
      },
    ],
    path: pathOf,
    title: titleOf,
    of,
    near: part.places.new,
    reaches: () => [name],
  });
  for (const pair of pairs) {
    const { old: before, new: now } = pair;
    const [path, title] = [pathOf(now), titleOf(now)];
    const thing = { ...pair, path, title, name: now.name, of, reaches: [name] };
    compareNamed(comparison, { ...thing, formerName: before.name, renamed: "form-renamed" });
    const places = { old: before.span, new: now.span };
    part.compareValues({ path, of: title, places }, before.shape, now.shape);
  }
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

/** The constant by which a form differs from the others on the wire, as text; none where it has none. */
function selectorOf({ selectedBy }: Forms, { shape }: FormModel): readonly string[] {
  const held = shape.fields.find(({ name }) => name === selectedBy)?.shape;
  return held !== undefined && "const" in held && held.const !== undefined ? [literal(held.const)] : [];
}

/** Whether two forms of different names are the same to callers and handlers. */
function isSameForm({ old, new: recent, types }: Comparison, before: FormModel, now: FormModel): boolean {
  const [had, has] = [before, now].map(({ shape }) =>
    JSON.stringify(shape.fields.map(({ name }) => name).toSorted()),
  );
  return had === has && requestChanges({ old, new: recent, types }, before.shape, now.shape).length === 0;
}

/** The rules that two shapes raise in requests, compared on their own. */
function requestChanges(
  { old, new: recent, types }: Pick<Comparison, "old" | "new" | "types">,
  before: ObjectTypeShape,
  now: ObjectTypeShape,
): readonly string[] {
  const aside = createComparison(old, recent, types);
  const traversal = createTraversal(aside, compareShapes);
  traversal.start("", { path: "", direction: "request", name: "", places: {} }, before, now);
  traversal.finish();
  return aside.changes.map(({ rule }) => rule);
}

function formNames({ forms }: Forms): string {
  return codeList(forms.map(({ name }) => name));
}

function selectorText({ selectedBy }: Forms): string {
  return selectedBy === "stored" ? "what is stored" : `the field \`${selectedBy}\``;
}
