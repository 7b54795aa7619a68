import type { Entry, Node } from "../syntax/index.ts";
import type { SchemeSpec, SecurityAlternativeSpec, SecuritySpec } from "../spec.ts";
import { entriesOf, entryOf, itemsOf, nameAt, nameOfKey, namesOf, optional } from "./access.ts";
import { documentedOf } from "./documented.ts";

export function readScheme(entry: Entry): SchemeSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    name: nameOfKey(entry),
    ...optional("kind", nameAt(node, "kind")),
    options: entriesOf(node)
      .filter(({ key }) => !commonKeys.has(key) && !key.startsWith("x-"))
      .map((option) => ({ name: nameOfKey(option), value: option.value })),
  };
}

const commonKeys: ReadonlySet<string> = new Set([
  "kind",
  "doc",
  "section",
  "decision",
  "since",
  "deprecated",
]);

/** Reads `security` of an interface or a method; `undefined` where it has none. */
export function readSecurity(node: Node): SecuritySpec | undefined {
  const entry = entryOf(node, "security");
  if (entry?.value.kind !== "list") return undefined;
  return { span: entry.keySpan, alternatives: itemsOf(entry.value).flatMap(readAlternative) };
}

function readAlternative(node: Node): readonly SecurityAlternativeSpec[] {
  if (node.kind !== "map") return [];
  const schemes = node.entries.map((entry) => ({ scheme: nameOfKey(entry), scopes: namesOf(entry.value) }));
  return [{ span: node.span, schemes }];
}
