import type { Edit } from "../suite/case.ts";
import { edited } from "../request/edits.ts";
import { resolveValue, MissingValue, type Lookup } from "../request/resolve-value.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { Model } from "./model.ts";
import type { Sequence } from "./sequence.ts";

/** The numbers that fast-check draws for a step: which object, and which part of it. Smaller numbers are simpler. */
export interface Draw {
  readonly pick: number;
  readonly value: number;
}

/** Something that a sequence can do next. */
export interface Command {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Does nothing where there is nothing to do it to. @throws InvariantViolation where a rule does not hold */
  perform(model: Model, sequence: Sequence, draw: Draw): Promise<void>;
}

/** One of the items; undefined where there are none. */
export function drawn<T>(items: readonly T[], draw: number): T | undefined {
  return items[draw % items.length];
}

/** The payload of a request; undefined where it needs a sample that is missing. */
export function payloadOf(
  { bases }: MethodEntry,
  base: string,
  edits: readonly Edit[],
  lookup: Lookup,
): unknown {
  try {
    return resolveValue(edited(bases[base], edits), lookup);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}
