import { resultOf } from "../answer/read-answer.ts";
import { valueAt } from "../request/edits.ts";
import { namesIn, type Lookup } from "../request/make-value.ts";
import { call, type RunContext } from "./context.ts";

/**
 * Samples that nobody else is looking at: for each resource of which a payload names a sample and of which the interface
 * can make new ones, a new one. Where none could be made, the samples of the access file stay.
 */
export async function freshSamples(context: RunContext, payload: unknown): Promise<Lookup> {
  const names = new Set(namesIn(payload));
  const made = new Map<string, unknown>();
  for (const { samples, created } of context.suite.resources) {
    if (created === undefined || !samples.some((name) => names.has(name))) continue;
    const method = context.methodOf(created.method);
    const { answer } = await call(context, method, { base: created.base });
    const result = resultOf(answer, method);
    if (result === undefined) continue;
    for (const [name, pointer] of Object.entries(created.gives)) made.set(name, valueAt(result, pointer));
  }
  return (name) => made.get(name) ?? context.lookup(name);
}

/** Resources of which a payload names a sample and that can only be shared. */
export function sharedResources(context: RunContext, payload: unknown): readonly string[] {
  const names = new Set(namesIn(payload));
  return context.suite.resources
    .filter(({ samples, created }) => created === undefined && samples.some((name) => names.has(name)))
    .map(({ name }) => name);
}
