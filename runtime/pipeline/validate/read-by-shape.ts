import type { JsonObject, ObjectShape } from "../../contract/index.ts";
import { parseLexemes, placeAmounts } from "./amounts.ts";
import { canonicalise } from "./canonicalise.ts";
import { planOf } from "./shape-plan.ts";

/** Reads JSON that the service itself has written: canonical names, exact amounts, no undeclared members. */
export function readByShape(text: string, shape: ObjectShape): object {
  const plan = planOf(shape);
  const written: JsonObject = JSON.parse(text);
  const lexemes = plan.hasMoney ? parseLexemes(text) : undefined;
  const { payload, amounts } = canonicalise(written, lexemes, plan, false);
  placeAmounts(amounts);
  return payload;
}
