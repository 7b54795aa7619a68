import type { Span } from "../source/index.ts";
import { valueOf, type Node } from "../syntax/index.ts";
import type { DocumentedSpec } from "../spec.ts";
import { childOf, entriesOf, nameAt, namesOf, optional, textAt, textOf } from "./access.ts";

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
