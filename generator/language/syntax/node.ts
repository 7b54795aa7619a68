import { isNode, isSeq, parse, parseDocument, stringify } from "yaml";
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

/** A plain value as YAML, without anchors; long texts are folded. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 110, aliasDuplicateObjects: false });
}

/** The plain value of a YAML text outside of a spec. Throws if the text is not YAML, or if aliases multiply it. */
export function plainYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 100 });
}

/** The text with one more item in a list at the top. Nothing else of it changes, unless the list is in brackets. */
export function withItem(text: string, list: string, item: Readonly<Record<string, string>>): string {
  const document = parseDocument(text);
  const node = document.get(list);
  const last = isSeq(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (!isSeq(node) || !isNode(last) || node.range == null || last.range == null) {
    document.addIn([list], document.createNode(item));
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  }
  const [first, end] = [node.range[0], last.range[1]];
  const indent = " ".repeat(first - text.lastIndexOf("\n", first) - 1);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const added = stringify([item], { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => indent + line + newline);
  const before = text.slice(0, end);
  return before + (before.endsWith("\n") ? "" : newline) + added.join("") + text.slice(end);
}
