import type { MethodEntry } from "../../suite/suite.ts";
import type { StepOf } from "./step-of.ts";

/** The base that a call without a payload is made from: the smallest, where it names none. */
export function baseOf(step: Pick<StepOf<"call">, "base">, { bases }: MethodEntry): string {
  return step.base ?? Object.keys(bases).find((name) => name.endsWith("minimal")) ?? "minimal";
}
