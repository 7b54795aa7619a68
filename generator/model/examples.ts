import {
  bySectionThen,
  compareNames,
  resolveShape,
  type ObjectSpec,
  type PayloadSpec,
  type Scope,
  type ShapeSpec,
} from "../spec/index.ts";
import { valueOf, type Entry, type MapNode, type Node } from "../syntax/index.ts";

/**
 * An example as plain JSON with canonical field names in the order of the document, however the spec writes it.
 * A second response spelling (`alsoSentAs`) is left out: what doubles fields adds it.
 */
export function exampleValue(node: Node, shape: ShapeSpec, scope: Scope): unknown {
  const resolved = resolveShape(shape, scope);
  if (resolved?.kind === "object" && node.kind === "map") return objectValue(node, [resolved], scope);
  if (resolved?.kind === "array" && node.kind === "list") {
    return node.items.map((item) => exampleValue(item, resolved.items, scope));
  }
  return sortedValue(node);
}

/** An example of a payload, which may be of any form. */
export function payloadExample(node: Node, payload: PayloadSpec, scope: Scope): unknown {
  if (payload.kind !== "forms") return exampleValue(node, payload, scope);
  const forms = payload.forms.toSorted(bySectionThen((form) => form.name.value));
  const shapes = forms.map((form) => form.shape);
  return node.kind === "map" ? objectValue(node, shapes, scope) : sortedValue(node);
}

function objectValue(node: MapNode, shapes: readonly ObjectSpec[], scope: Scope): unknown {
  const rest = new Map(node.entries.map((entry) => [entry.key, entry]));
  const value = new Map<string, unknown>();
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const spellings = [field.name.value, ...field.spellings.map((spelling) => spelling.value)];
    const entry = firstOf(rest, spellings);
    if (field.alsoSentAs !== undefined) rest.delete(field.alsoSentAs.value);
    if (entry === undefined || value.has(field.name.value)) continue;
    rest.delete(entry.key);
    value.set(field.name.value, exampleValue(entry.value, field.shape, scope));
  }
  for (const entry of [...rest.values()].toSorted((a, b) => compareNames(a.key, b.key))) {
    value.set(entry.key, sortedValue(entry.value));
  }
  return Object.fromEntries(value);
}

function firstOf(entries: ReadonlyMap<string, Entry>, keys: readonly string[]): Entry | undefined {
  for (const key of keys) {
    const entry = entries.get(key);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function sortedValue(node: Node): unknown {
  if (node.kind === "list") return node.items.map(sortedValue);
  if (node.kind !== "map") return valueOf(node);
  const entries = node.entries.toSorted((a, b) => compareNames(a.key, b.key));
  return Object.fromEntries(entries.map((entry) => [entry.key, sortedValue(entry.value)]));
}
