import type { Span } from "../source/index.ts";

/** The content of a YAML file, every part with its place. */
export type Node = MapNode | ListNode | ScalarNode | UnreadableNode;

export interface MapNode {
  readonly kind: "map";
  readonly span: Span;
  /** In the order of the file; of a repeated key only the first. */
  readonly entries: readonly Entry[];
  /** Whether it may have other members, which are not written here. */
  readonly isOpen?: true;
}

export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Node;
}

export interface ListNode {
  readonly kind: "list";
  readonly span: Span;
  readonly items: readonly Node[];
}

export interface ScalarNode {
  readonly kind: "scalar";
  readonly span: Span;
  /** `null` where nothing is written. Numbers are finite. */
  readonly value: string | number | boolean | null;
}

/** A node that the language refuses, such as an alias. It has been reported. */
export interface UnreadableNode {
  readonly kind: "unreadable";
  readonly span: Span;
}

/** The text of a span as written. */
export function writtenAt(span: Span): string {
  return span.source.text.slice(span.start, span.end);
}

/** The plain JSON value of a node. */
export function valueOf(node: Node): unknown {
  if (node.kind === "unreadable") return null;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(valueOf);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, valueOf(entry.value)]));
}
