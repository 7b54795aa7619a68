import {
  bySectionThen,
  compareNames,
  resolveShape,
  type FieldSpec,
  type ObjectSpec,
  type PayloadSpec,
  type Scope,
  type ShapeSpec,
} from "../language/index.ts";
import { valueOf, type MapNode, type Node } from "../language/syntax/index.ts";

/**
 * An example as plain JSON with canonical field names in the order of the document, however the spec writes it.
 * A second response spelling (`alsoSentAs`) is left out: what doubles fields adds it.
 */
export function exampleValue(node: Node, shape: ShapeSpec, scope: Scope): unknown {
  return valueIn({ scope, keyOf: (name) => name }, node, shape);
}

/** An example of a payload, which may be of any form, and whose names may differ in case (D-11). */
export function payloadExample(node: Node, payload: PayloadSpec, scope: Scope): unknown {
  const reading = { scope, keyOf: (name: string) => name.toLowerCase() };
  if (payload.kind !== "forms") return valueIn(reading, node, payload);
  const forms = payload.forms.toSorted(bySectionThen((form) => form.name.value));
  const shapes = forms.map((form) => form.shape);
  return node.kind === "map" ? objectValue(reading, node, shapes) : sortedValue(node);
}

interface Reading {
  readonly scope: Scope;
  /** Names with the same key are the same name. */
  readonly keyOf: (name: string) => string;
}

function valueIn(reading: Reading, node: Node, shape: ShapeSpec): unknown {
  const resolved = resolveShape(shape, reading.scope);
  if (resolved?.kind === "object" && node.kind === "map") return objectValue(reading, node, [resolved]);
  if (resolved?.kind === "array" && node.kind === "list") {
    return node.items.map((item) => valueIn(reading, item, resolved.items));
  }
  if (resolved?.kind === "tagged" && node.kind === "map") {
    const tag = node.entries.find(({ key }) => key === resolved.discriminator.value)?.value;
    const chosen = resolved.cases.find((each) => tag?.kind === "scalar" && each.tag.value === tag.value);
    if (chosen !== undefined) return valueIn(reading, node, chosen.shape);
  }
  return sortedValue(node);
}

function objectValue(reading: Reading, node: MapNode, shapes: readonly ObjectSpec[]): unknown {
  const { keyOf } = reading;
  const rest = new Map(node.entries.map((entry) => [keyOf(entry.key), entry]));
  const value = new Map<string, unknown>();
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const key = namesOf(field)
      .map(keyOf)
      .find((name) => rest.has(name));
    const entry = key === undefined ? undefined : rest.get(key);
    if (field.alsoSentAs !== undefined) rest.delete(keyOf(field.alsoSentAs.value));
    if (key === undefined || entry === undefined || value.has(field.name.value)) continue;
    rest.delete(key);
    value.set(field.name.value, valueIn(reading, entry.value, field.shape));
  }
  for (const entry of [...rest.values()].toSorted((a, b) => compareNames(a.key, b.key))) {
    value.set(entry.key, sortedValue(entry.value));
  }
  return Object.fromEntries(value);
}

function namesOf(field: FieldSpec): readonly string[] {
  return [field.name.value, ...field.spellings.map((spelling) => spelling.value)];
}

/** A value as plain JSON, keys in name order. */
export function sortedValue(node: Node): unknown {
  if (node.kind === "list") return node.items.map(sortedValue);
  if (node.kind !== "map") return valueOf(node);
  const entries = node.entries.toSorted((a, b) => compareNames(a.key, b.key));
  return Object.fromEntries(entries.map((entry) => [entry.key, sortedValue(entry.value)]));
}
