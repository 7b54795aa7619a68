import type { FieldShape } from "./shape.ts";
import type { Suite } from "./suite.ts";

/** Rules of all fields: how they are spelled, and what an empty one means. */
const generalRules: readonly string[] = ["request-spellings", "absent-null-empty"];

/** The decisions that are about a field itself: what may be in it is not what the document alone says. */
export function ownDecisions(
  { decisions }: Pick<FieldShape, "decisions">,
  { rules }: Pick<Suite, "rules">,
): readonly string[] {
  const shared = generalRules.flatMap((rule) => rules[rule]?.decisions ?? []);
  return decisions.filter((decision) => !shared.includes(decision));
}
