import type { RunContext } from "../../session/context.ts";
import type { Step } from "../../suite/step.ts";
import type { ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Runs steps for each value of a list or of an enum. */
export async function runEach(
  { name, in: values, of, steps }: StepOf<"each">,
  run: ScenarioRun,
  runSteps: (steps: readonly Step[], run: ScenarioRun) => Promise<void>,
): Promise<void> {
  for (const value of valuesOf(values, run) ?? enumValues(of ?? "", run.environment.context)) {
    run.values.set(name, run.resolve(value));
    await runSteps(steps, run);
  }
}

function valuesOf(values: StepOf<"each">["in"], run: ScenarioRun): readonly unknown[] | undefined {
  if (values === undefined || Array.isArray(values)) return values;
  const made = run.resolve(values);
  return Array.isArray(made) ? made : [];
}

function enumValues(type: string, { suite, response }: RunContext): readonly (string | number)[] {
  const shape = suite.types[type];
  const resolved = shape === undefined ? undefined : response.resolve(shape);
  return resolved?.kind === "enum" ? resolved.values.map(({ value }) => value) : [];
}
