import type { Shape } from "../../../model/index.ts";
import type { Comparison } from "../comparison.ts";
import { compareTextsWithin, sameType } from "./texts.ts";
import type { Step, Traversal } from "./value-walk.ts";

/** A value that the service sends whole: the result of a method, the data of an error. */
interface SentValue extends Pick<Step, "path" | "places"> {
  /** The value as messages name it. */
  readonly of: string;
  /** The method or error that sends it. */
  readonly reaches: string;
}

/** Compares a value that the service sends, and its texts where its type kept its name. Returns whether it kept it. */
export function compareSent(
  comparison: Comparison,
  traversal: Traversal,
  { path, of, places, reaches }: SentValue,
  [before, now]: readonly [Shape, Shape],
): boolean {
  const required = { requiredBefore: true, requiredNow: true } as const;
  traversal.start(
    reaches,
    { path, direction: "response", name: of, of: "", places, ...required },
    before,
    now,
  );
  if (!sameType(comparison, before, now)) return false;
  compareTextsWithin(comparison, { path, of, travels: new Set(["response"]) }, before, now);
  return true;
}
