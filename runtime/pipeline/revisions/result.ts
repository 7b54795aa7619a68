import type { ObjectShape } from "../../contract/index.ts";
import { encodeResult } from "../encode/index.ts";
import { readByShape } from "../validate/index.ts";
import type { Route } from "./route.ts";

/** A result as it is kept for the repetition of its call (D-24): in the words of the revision whose handler made it. */
export interface StoredResult {
  readonly text: string;
  readonly revision: string;
}

/** The text of a handler's result in the words of its caller's revision. */
export function encodeFor(route: Route, result: object): string {
  return encodeResult(route.method, downFrom(route.steps.length, route, result));
}

/** `text` is the result's in the words of its caller. */
export function storedResult(
  { target, targetRevision, steps }: Route,
  result: object,
  text: string,
): StoredResult {
  return { text: steps.length === 0 ? text : encodeResult(target, result), revision: targetRevision };
}

/** Stored result, translated to the caller's revision. A result of an earlier revision is repeated as it is. */
export function repeatedFor(route: Route, { text, revision }: StoredResult): string {
  const step = route.steps.findIndex((each) => each.revision === revision);
  const shape: ObjectShape | undefined = route.steps[step]?.method.result;
  if (shape === undefined) return text;
  return encodeResult(route.method, downFrom(step + 1, route, readByShape(text, shape)));
}

function downFrom(count: number, { steps }: Route, result: object): object {
  if (count === 0) return result;
  return steps.slice(0, count).reduceRight((later, { adapter }) => adapter.down?.(later) ?? later, result);
}
