import type { Span } from "../../source/index.ts";
import type { ListNode, MapNode, Node } from "../../syntax/index.ts";
import { closest } from "../closest.ts";
import { resolveShape } from "../reach.ts";
import type { Scope } from "../scope.ts";
import type {
  ArraySpec,
  EnumSpec,
  FieldSpec,
  ObjectSpec,
  ScalarSpec,
  ShapeSpec,
  TaggedSpec,
  TupleSpec,
} from "../spec.ts";
import { constraintProblem, nameOf, shown } from "./value-problem.ts";

/** `any` for the example of a type or field, which may travel either way. */
export type Direction = "request" | "response" | "any";

/** Where an example departs from its type, and how. */
export interface Mismatch {
  readonly span: Span;
  readonly reason: string;
  readonly suggestion: string | undefined;
}

/** Every place where an example departs from its type. What is unknown about the type is not held against it. */
export function mismatchesOf(
  node: Node,
  shape: ShapeSpec,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  const resolved = node.kind === "unreadable" ? undefined : resolveShape(shape, scope);
  switch (resolved?.kind) {
    case undefined:
      return [];
    case "object":
      return node.kind === "map"
        ? objectMismatches(node, resolved, scope, direction)
        : [wrongKind(node, "a mapping")];
    case "array":
      return node.kind === "list"
        ? arrayMismatches(node, resolved, scope, direction)
        : [wrongKind(node, "a list")];
    case "enum":
      return enumMismatches(node, resolved);
    case "scalar":
      return scalarMismatches(node, resolved);
    case "null":
      return node.kind === "scalar" && node.value === null ? [] : [wrongKind(node, "null")];
    case "json":
      return [];
    case "map":
      if (node.kind !== "map") return [wrongKind(node, "a mapping")];
      return node.entries.flatMap(({ value }) => mismatchesOf(value, resolved.values, scope, direction));
    case "tuple":
      return node.kind === "list"
        ? tupleMismatches(node, resolved, scope, direction)
        : [wrongKind(node, "a list")];
    case "union":
      return closestMismatches(resolved.alternatives, node, scope, direction);
    case "tagged":
      return taggedMismatches(node, resolved, scope, direction);
  }
}

/** Of several alternatives those of the one that the example comes closest to. */
function closestMismatches(
  alternatives: readonly ShapeSpec[],
  node: Node,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  const found = alternatives.map((each) => mismatchesOf(node, each, scope, direction));
  return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function tupleMismatches(
  node: ListNode,
  { items }: TupleSpec,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  if (node.items.length !== items.length)
    return [mismatch(node.span, `it has ${node.items.length} items, not ${items.length}`)];
  return items.flatMap((item, at) => {
    const part = node.items[at];
    return part === undefined ? [] : mismatchesOf(part, item, scope, direction);
  });
}

function taggedMismatches(
  node: Node,
  { discriminator, cases }: TaggedSpec,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  if (node.kind !== "map") return [wrongKind(node, "a mapping")];
  const tag = node.entries.find(({ key }) => key === discriminator.value)?.value;
  const tags = cases.map((each) => each.tag.value);
  const chosen = cases.find((each) => tag?.kind === "scalar" && tag.value === each.tag.value);
  if (chosen !== undefined) return mismatchesOf(node, chosen.shape, scope, direction);
  const reason = `\`${discriminator.value}\` has to be one of ${tags.map((each) => `\`${each}\``).join(", ")}`;
  return [mismatch(tag?.span ?? node.span, reason)];
}

function mismatch(span: Span, reason: string, suggestion?: string): Mismatch {
  return { span, reason, suggestion };
}

function wrongKind(node: Node, expected: string): Mismatch {
  return mismatch(node.span, `expected ${expected}, found ${kindOf(node)}`);
}

function kindOf(node: Node): string {
  if (node.kind === "scalar") return nameOf(node.value);
  return node.kind === "list" ? "a list" : "a mapping";
}

function scalarMismatches(node: Node, shape: ScalarSpec): readonly Mismatch[] {
  if (node.kind !== "scalar") return [wrongKind(node, "a single value")];
  const problem = constraintProblem(node.value, shape);
  return problem === undefined ? [] : [mismatch(node.span, problem.reason)];
}

function enumMismatches(node: Node, { values }: EnumSpec): readonly Mismatch[] {
  const isInteger = values.some(({ integer }) => integer !== undefined);
  const isText = values.some(({ integer }) => integer === undefined);
  const found = node.kind === "scalar" ? node.value : undefined;
  if (!((isText && typeof found === "string") || (isInteger && typeof found === "number"))) {
    return [wrongKind(node, isInteger ? (isText ? "text or a whole number" : "a whole number") : "text")];
  }
  if (values.some(({ value, integer }) => (integer ?? value.value) === found)) return [];
  const known = values.map(({ value }) => value.value);
  const text = String(found);
  return [mismatch(node.span, `${shown(text)} is not one of its values`, closest(text, known))];
}

function arrayMismatches(
  node: ListNode,
  shape: ArraySpec,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  const bound = (key: string) => shape.constraints.find((constraint) => constraint.key === key)?.value;
  const found: Mismatch[] = [];
  const [fewest, most] = [bound("minItems"), bound("maxItems")];
  const count = node.items.length;
  if (typeof fewest === "number" && count < fewest) {
    found.push(mismatch(node.span, `it has ${count} items, fewer than ${fewest}`));
  }
  if (typeof most === "number" && count > most) {
    found.push(mismatch(node.span, `it has ${count} items, more than ${most}`));
  }
  if (bound("uniqueItems") === true) found.push(...repeatedItems(node));
  return [...found, ...node.items.flatMap((item) => mismatchesOf(item, shape.items, scope, direction))];
}

function repeatedItems(node: ListNode): readonly Mismatch[] {
  const seen = new Set<unknown>();
  return node.items.flatMap((item) => {
    if (item.kind !== "scalar") return [];
    if (seen.has(item.value)) return mismatch(item.span, "its items have to differ");
    seen.add(item.value);
    return [];
  });
}

function objectMismatches(
  node: MapNode,
  shape: ObjectSpec,
  scope: Scope,
  direction: Direction,
): readonly Mismatch[] {
  const names = fieldsByName(shape, direction);
  const values = new Map<FieldSpec, Node>();
  const keys = new Map<FieldSpec, string>();
  const found: Mismatch[] = [];
  for (const { key, keySpan, value } of node.entries) {
    const field = names.get(direction === "request" ? key.toLowerCase() : key);
    if (field === undefined) {
      found.push(
        mismatch(
          keySpan,
          `there is no field \`${key}\``,
          closest(
            key,
            shape.fields.map((each) => each.name.value),
          ),
        ),
      );
      continue;
    }
    const earlier = keys.get(field);
    if (earlier !== undefined && !areDoubled(field, earlier, key)) {
      found.push(mismatch(keySpan, `\`${key}\` and another spelling of it are both there`));
    }
    keys.set(field, key);
    if (!values.has(field) || key === field.name.value) values.set(field, value);
    found.push(...mismatchesOf(value, field.shape, scope, direction));
    if (direction === "request" && isEmptyRequired(value, field, scope)) {
      found.push(mismatch(value.span, "a required text is not empty"));
    }
  }
  const start = node.entries[0]?.keySpan ?? node.span;
  return [...found, ...presenceMismatches(start, shape, values)];
}

/** The two names under which responses repeat a value. */
function areDoubled({ name, alsoSentAs }: FieldSpec, ...keys: readonly string[]): boolean {
  return alsoSentAs !== undefined && keys.includes(name.value) && keys.includes(alsoSentAs.value);
}

/** A required string is never empty in requests, unless `minLength: 0` says so (D-14). */
function isEmptyRequired(value: Node, field: FieldSpec, scope: Scope): boolean {
  if (value.kind !== "scalar" || value.value !== "" || field.optional !== undefined) return false;
  const shape = resolveShape(field.shape, scope);
  if (shape?.kind !== "scalar" || shape.scalar !== "string") return false;
  return !shape.constraints.some((constraint) => constraint.key === "minLength");
}

/** Fields by every name that the direction knows them by; of requests in lower case, since case is ignored (D-11). */
function fieldsByName(shape: ObjectSpec, direction: Direction): ReadonlyMap<string, FieldSpec> {
  const names = new Map<string, FieldSpec>();
  const add = (name: string, field: FieldSpec): void => {
    names.set(direction === "request" ? name.toLowerCase() : name, field);
  };
  for (const field of shape.fields) {
    if (direction !== "response") for (const { value } of field.spellings) add(value, field);
    if (direction !== "request" && field.alsoSentAs !== undefined) add(field.alsoSentAs.value, field);
  }
  for (const field of shape.fields) add(field.name.value, field);
  return names;
}

function presenceMismatches(
  span: Span,
  shape: ObjectSpec,
  values: ReadonlyMap<FieldSpec, Node>,
): readonly Mismatch[] {
  const present = new Map([...values].map(([field, value]) => [field.name.value, value]));
  const missing = shape.fields.filter((field) => !values.has(field) && isRequired(field, present));
  const found = missing.map((field) => mismatch(span, `\`${field.name.value}\` is missing`));
  for (const group of shape.atLeastOneOf) {
    if (group.some((name) => present.has(name.value))) continue;
    found.push(
      mismatch(span, `one of ${group.map((name) => `\`${name.value}\``).join(", ")} has to be there`),
    );
  }
  for (const group of shape.exactlyOneOf) {
    if (group.filter((name) => present.has(name.value)).length === 1) continue;
    const names = group.map((name) => `\`${name.value}\``).join(", ");
    found.push(mismatch(span, `exactly one of ${names} has to be there`));
  }
  return found;
}

function isRequired(field: FieldSpec, present: ReadonlyMap<string, Node>): boolean {
  if (field.requiredWhen === undefined) return field.optional === undefined;
  const sibling = present.get(field.requiredWhen.field.value);
  return sibling?.kind === "scalar" && field.requiredWhen.is.some(({ value }) => value === sibling.value);
}
