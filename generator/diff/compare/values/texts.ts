import type { Documented, EnumValue, FieldModel, ObjectTypeShape, Shape } from "../../../model/index.ts";
import type { Direction } from "../../rules/rule.ts";
import type { Comparison } from "../comparison.ts";
import { compareDocumented, comparePastName, differs, normal } from "../definitions.ts";
import { pairFields } from "./objects.ts";
import { pairValues } from "./enums.ts";
import type { Pair } from "../pair-up.ts";
import { restatedNames } from "./aliases.ts";
import { code, literal, quoted, typeText } from "../phrases.ts";
import type { Step, Traversal } from "./value-walk.ts";

/** A definition of which the two revisions are the same thing, and which way its values travel. */
export interface TextStep {
  readonly path: string;
  /** As a phrase: "`Loan`", "the payload of `BookService.LendBook`". */
  readonly of: string;
  readonly travels: ReadonlySet<Direction>;
}

/**
 * The parts of a definition that mean the same whichever way the values travel: texts, examples, sensitivity,
 * names of generated types. Stops at named types, which are definitions of their own.
 */
export function compareTextsWithin(comparison: Comparison, step: TextStep, old: Shape, recent: Shape): void {
  if (old.kind === "object" && recent.kind === "object") compareFieldTexts(comparison, step, old, recent);
  else if (old.kind === "array" && recent.kind === "array") {
    compareTextsWithin(comparison, { ...step, path: `${step.path}[]` }, old.items, recent.items);
  } else if (old.kind === "enum" && recent.kind === "enum")
    compareValueTexts(comparison, step, old.values, recent.values);
}

function compareValueTexts(
  comparison: Comparison,
  { path, of, travels }: TextStep,
  oldItems: readonly EnumValue[],
  newItems: readonly EnumValue[],
): void {
  const { pairs } = pairValues(oldItems, newItems);
  const reworded = rewordedByText(pairs);
  for (const { old, new: recent } of pairs) {
    const name = `\`${recent.value}\` of ${of}`;
    const at = `${path}/${recent.value}`;
    const isOfEvent = travels.has("event");
    compareDocumented(comparison, at, name, old, recent, isOfEvent);
    reportExchange(
      comparison,
      at,
      name,
      { old, new: recent },
      reworded,
      ({ value }) => String(value),
      isOfEvent,
    );
    comparePastName(comparison, at, name, old, recent, old.value !== recent.value);
  }
}

function compareFieldTexts(
  comparison: Comparison,
  step: TextStep,
  old: ObjectTypeShape,
  recent: ObjectTypeShape,
): void {
  const { pairs } = pairFields(old, recent);
  const reworded = rewordedByText(pairs);
  const isOfEvent = step.travels.has("event");
  for (const pair of pairs) {
    const path = `${step.path}/${pair.new.name}`;
    const name = `\`${pair.new.name}\` of ${step.of}`;
    compareDocumented(comparison, path, name, pair.old, pair.new, isOfEvent);
    reportExchange(comparison, path, name, pair, reworded, (field) => field.name, isOfEvent);
    comparePastName(comparison, path, name, pair.old, pair.new, pair.old.name !== pair.new.name);
    compareTraits(comparison, path, name, pair);
    compareNames(comparison, path, step, pair);
    const inner = { path, of: `\`${pair.new.name}\` in ${step.of}`, travels: step.travels };
    compareTextsWithin(comparison, inner, pair.old.shape, pair.new.shape);
  }
}

/** That one of several things has now the text that another of them had, which has another now. */
function reportExchange<T extends Documented>(
  comparison: Comparison,
  path: string,
  name: string,
  pair: Pair<T>,
  reworded: Reworded<T>,
  nameOf: (item: T) => string,
  isOfEvent: boolean,
): void {
  if (!isReworded(pair)) return;
  const same = reworded.get(normal(pair.new.doc)) ?? [];
  const other = same[0] === pair ? same[1] : same[0];
  if (other === undefined || nameOf(other.old) !== nameOf(other.new)) return;
  const report = comparison.at({ ...pair, path, name, without: isOfEvent ? [] : ["receivers"] });
  report("meaning-exchanged", { from: nameOf(other.old) }, "doc");
}

function isReworded({ old, new: recent }: Pair<Documented>): boolean {
  return old.doc !== recent.doc && normal(old.doc) !== normal(recent.doc);
}

/** The pairs with another text than before, by their former ones. */
function rewordedByText<T extends Documented>(all: readonly Pair<T>[]): Reworded<T> {
  return Map.groupBy(all.filter(isReworded), ({ old }) => normal(old.doc));
}

type Reworded<T> = ReadonlyMap<string, readonly Pair<T>[]>;

function compareTraits(comparison: Comparison, path: string, name: string, pair: Pair<FieldModel>): void {
  const { old, new: recent } = pair;
  const report = comparison.at({ ...pair, path, name });
  if (old.sensitive !== recent.sensitive)
    report(recent.sensitive ? "sensitive-added" : "sensitive-removed", {}, "sensitive");
  for (const key of ["identifies", "refersTo"] as const)
    differs(report, "sample-changed", sampleText(key, old), sampleText(key, recent), key);
  differs(report, "default-changed", literal(old.default), literal(recent.default), "default");
  differs(report, "label-changed", labelText(old), labelText(recent), "label");
  differs(report, "example-changed", literal(old.example), literal(recent.example), "example");
}

function labelText({ label }: FieldModel): string {
  return label === undefined ? "words made of its name" : quoted(label);
}

function sampleText(key: "identifies" | "refersTo", field: FieldModel): string {
  const sample = field[key];
  return sample === undefined
    ? `no sample that it ${key === "identifies" ? key : "refers to"}`
    : code(sample);
}

function compareNames(
  comparison: Comparison,
  path: string,
  { of, travels }: TextStep,
  pair: Pair<FieldModel>,
): void {
  const { old, new: recent } = pair;
  const report = comparison.at({ ...pair, path, name: recent.name, of });
  for (const { rule, from, to } of restatedNames(old, recent, travels))
    report(rule, { from, to }, rule === "spelling-restated" ? "spellings" : "alsoSentAs");
  if (sameType(comparison, old.shape, recent.shape)) return;
  const [from, to] = [code(typeText(old.shape)), code(typeText(recent.shape))];
  report("named-type-changed", { from, to }, "type");
}

/** Whether a place is of the same named type, or of none, in both revisions. */
function sameType(comparison: Comparison, old: Shape, recent: Shape): boolean {
  if (old.kind === "array" && recent.kind === "array") return sameType(comparison, old.items, recent.items);
  if (recent.kind === "ref" && old.kind === "ref")
    return comparison.types.get(recent.type)?.name === old.type;
  return recent.kind !== "ref" && old.kind !== "ref";
}

/** A value that travels whole: a payload, a result, the data of an error. */
interface Travelling extends Pick<Step, "path" | "direction" | "places" | "isNameless"> {
  /** The method, event or error that it is of. */
  readonly label: string;
  /** As messages name it: "the payload of …". */
  readonly of: string;
}

/** Compares a value that travels whole; its texts where its type kept its name, else that it has another one. */
export function compareTravelling(
  comparison: Comparison,
  traversal: Traversal,
  { label, path, of, direction, places, isNameless = false }: Travelling,
  old: Shape,
  recent: Shape,
): void {
  traversal.start(label, { path, direction, name: of, places, isNameless }, old, recent);
  if (sameType(comparison, old, recent)) {
    compareTextsWithin(comparison, { path, of, travels: new Set([direction]) }, old, recent);
    return;
  }
  const [from, to] = [code(typeText(old)), code(typeText(recent))];
  const facts = { name: path.split("/").at(-1) ?? "", of: code(label), from, to };
  comparison.report("named-type-changed", { path, facts, ...places });
}
