import { oncePer } from "./source/once-per.ts";
import type { MapNode } from "./syntax/index.ts";
import { closest } from "../../conformance/base/closest.ts";

/** Names of the language's keys in other notations. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["description", "doc"],
  ["input", "payload"],
  ["items", "type"],
  ["max", "maximum"],
  ["min", "minimum"],
  ["nullable", "optional"],
  ["output", "result"],
  ["params", "payload"],
  ["properties", "fields"],
  ["regex", "pattern"],
  ["request", "payload"],
  ["required", "optional"],
  ["response", "result"],
  ["returns", "result"],
  ["summary", "doc"],
  ["values", "enum"],
]);

/** The key that an unknown one most likely stands for: one of `known` that the mapping does not have yet. */
export function suggestKey(key: string, node: MapNode, known: readonly string[]): string | undefined {
  const present = keysOf(node);
  const missing = known.filter((candidate) => !present.has(candidate));
  const near = closest(key, [...missing, ...synonyms.keys()]);
  const meant = near === undefined ? undefined : (synonyms.get(near) ?? near);
  return meant !== undefined && missing.includes(meant) ? meant : closest(key, missing);
}

const keysOf = oncePer((node: MapNode): ReadonlySet<string> => new Set(node.entries.map(({ key }) => key)));

/** Whether the mapping has one of these keys, or a key that most likely stands for one. */
export function mayHave(node: MapNode, keys: readonly string[]): boolean {
  return node.entries.some(
    (entry) => keys.includes(entry.key) || suggestKey(entry.key, node, keys) !== undefined,
  );
}
