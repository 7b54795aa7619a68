import type { Names } from "../../model/index.ts";
import type { Span } from "../../source/index.ts";
import type { Comparison } from "./comparison.ts";

interface Named {
  readonly names: Names;
  readonly span: Span;
}

/** The names that a thing, which itself is called as before, has in generated code. */
export function compareGeneratedNames(
  { report }: Comparison,
  path: string,
  name: string,
  old: Named,
  recent: Named,
): void {
  const differ = (["type", "value", "file"] as const).find((kind) => old.names[kind] !== recent.names[kind]);
  if (differ === undefined) return;
  report("generated-name-changed", {
    path,
    facts: { name, from: `\`${old.names[differ]}\``, to: `\`${recent.names[differ]}\`` },
    old: old.span,
    new: recent.span,
  });
}
