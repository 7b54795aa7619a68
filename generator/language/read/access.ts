import type { Span } from "../source/index.ts";
import { valueOf, type Entry, type MapNode, type Node } from "../syntax/index.ts";
import type { DocumentedSpec, Located, Name } from "../spec.ts";

// Nothing here reports: what has the wrong type was reported by the check against the schema, and reads as absent.

export function entryOf(node: Node | undefined, key: string): Entry | undefined {
  return node?.kind === "map" ? node.entries.find((entry) => entry.key === key) : undefined;
}

export function childOf(node: Node | undefined, key: string): Node | undefined {
  return entryOf(node, key)?.value;
}

export function entriesOf(node: Node | undefined): readonly Entry[] {
  return node?.kind === "map" ? node.entries : [];
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "list" ? node.items : [];
}

export function mapsOf(node: Node | undefined): readonly MapNode[] {
  return itemsOf(node).filter((item) => item.kind === "map");
}

export function textOf(node: Node | undefined): Name | undefined {
  if (node?.kind !== "scalar" || typeof node.value !== "string") return undefined;
  return { value: node.value, span: node.span };
}

export function textAt(node: Node | undefined, key: string): string | undefined {
  return textOf(childOf(node, key))?.value;
}

export function nameAt(node: Node | undefined, key: string): Name | undefined {
  return textOf(childOf(node, key));
}

export function namesOf(node: Node | undefined): readonly Name[] {
  return itemsOf(node).flatMap((item) => textOf(item) ?? []);
}

export function textsAt(node: Node | undefined, key: string): readonly string[] {
  return namesOf(childOf(node, key)).map((name) => name.value);
}

export function numberAt(node: Node | undefined, key: string): Located<number> | undefined {
  const child = childOf(node, key);
  if (child?.kind !== "scalar" || typeof child.value !== "number") return undefined;
  return { value: child.value, span: child.span };
}

/** One of a few words. */
export function wordAt<const Word extends string>(
  node: Node | undefined,
  key: string,
  words: readonly Word[],
): Located<Word> | undefined {
  const written = nameAt(node, key);
  const value = words.find((word) => word === written?.value);
  return written === undefined || value === undefined ? undefined : { value, span: written.span };
}

export const paramsStyles = ["by-name", "by-position", "either"] as const;

export function isTrueAt(node: Node | undefined, key: string): boolean {
  const child = childOf(node, key);
  return child?.kind === "scalar" && child.value === true;
}

export function nameOfKey(entry: Entry): Name {
  return { value: entry.key, span: entry.keySpan };
}

/** `{ [key]: value }`, or nothing where the value is absent: for optional properties. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  if (value === undefined) return {};
  const present: { [P in K]?: V } = {};
  present[key] = value;
  return present;
}

/** A part of a scalar's span: `length` characters at `offset` of its value, where it is written plainly. */
export function spanWithin(span: Span, written: string, part: string): Span {
  const at = written.lastIndexOf(part);
  if (at === -1) return span;
  return { source: span.source, start: span.start + at, end: span.start + at + part.length };
}

/** The common keys of a definition; `span` is that of its name. */
export function documentedOf(node: Node | undefined, span: Span): DocumentedSpec {
  return {
    doc: textAt(node, "doc") ?? "",
    ...optional("section", textAt(node, "section")),
    decisions: decisionsOf(node),
    ...optional("since", nameAt(node, "since")),
    ...optional("deprecated", textAt(node, "deprecated")),
    ...optional("codeName", nameAt(node, "codeName")),
    ...optional("extensions", extensionsOf(node)),
    span,
  };
}

/** The `x-…` keys, which the language does not know and exported documents carry on. */
function extensionsOf(node: Node | undefined): DocumentedSpec["extensions"] {
  const own = entriesOf(node).filter(({ key }) => /^x-[a-z]/.test(key));
  if (own.length === 0) return undefined;
  return Object.fromEntries(own.map(({ key, value }) => [key, valueOf(value)]));
}

function decisionsOf(node: Node | undefined): readonly string[] {
  const decision = childOf(node, "decision");
  const single = textOf(decision);
  return single === undefined ? namesOf(decision).map((name) => name.value) : [single.value];
}
