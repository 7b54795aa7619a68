import type { Span, SourceText } from "../../language/source/index.ts";
import { parseYaml, type MapNode, type Node } from "../../language/syntax/index.ts";
import { oncePer } from "../../language/source/once-per.ts";

/**
 * The place of something inside a definition: `at` is the span of the definition's name, `keys` lead from there, a
 * key of a mapping or an item of a list each. Follows them as far as they go; the definition's name where nothing
 * leads on, or where the file cannot be read as YAML.
 */
export function locate(at: Span, ...keys: readonly string[]): Span {
  let node = definitionOf(at);
  let span = at;
  for (const key of keys) {
    if (node?.kind === "map") {
      const entry = node.entries.find((candidate) => candidate.key === key);
      if (entry === undefined) return span;
      span = entry.value.kind === "scalar" && entry.value.value !== null ? entry.value.span : entry.keySpan;
      node = entry.value;
    } else if (node?.kind === "list") {
      const item = node.items.find((each) => each.kind === "scalar" && each.value === key);
      if (item === undefined) return span;
      span = item.span;
      node = item;
    }
  }
  return span;
}

/** The definition whose name is at a span. */
function definitionOf({ source, start }: Span): Node | undefined {
  return definitionsOf(source).get(start);
}

const definitionsOf = oncePer(indexed);

/** By the offset of its key, or, for an item of a list, of the values that name it. */
function indexed(source: SourceText): ReadonlyMap<number, Node> {
  const found = new Map<number, Node>();
  const visit = (node: Node): void => {
    if (node.kind === "list") for (const item of node.items) visit(item);
    if (node.kind !== "map") return;
    index(node);
    for (const { value } of node.entries) visit(value);
  };
  const index = (map: MapNode): void => {
    for (const { key, keySpan, value } of map.entries) {
      found.set(keySpan.start, value);
      if (["name", "value", "from"].includes(key) && value.kind === "scalar")
        found.set(value.span.start, map);
    }
  };
  const root = source.text === "" ? undefined : parseYaml(source).value;
  if (root !== undefined) visit(root);
  return found;
}
