import type { Shape } from "../../../model/index.ts";
import type { Comparison } from "../comparison.ts";
import { code, typeText } from "../phrases.ts";
import { compareTextsWithin, sameType } from "./texts.ts";
import type { Step, Traversal } from "./value-walk.ts";

/** A value that travels whole: a payload, a result, the data of an error. */
interface Travelling extends Pick<Step, "path" | "direction" | "places"> {
  /** The method, event or error that it is of. */
  readonly label: string;
  /** As messages name it: "the payload of …". */
  readonly of: string;
}

/** Compares a value that travels whole; its texts where its type kept its name, else that it has another one. */
export function compareTravelling(
  comparison: Comparison,
  traversal: Traversal,
  { label, path, of, direction, places }: Travelling,
  old: Shape,
  recent: Shape,
): void {
  traversal.start(label, { path, direction, name: of, places }, old, recent);
  if (sameType(comparison, old, recent)) {
    compareTextsWithin(comparison, { path, of, travels: new Set([direction]) }, old, recent);
    return;
  }
  const [from, to] = [code(typeText(old)), code(typeText(recent))];
  const facts = { name: path.split("/").at(-1) ?? "", of: code(label), from, to };
  comparison.report("named-type-changed", { path, facts, ...places });
}
