import { readingOf } from "../../../generator/model/resolve.ts";
import { isJsonObject, problemsOf, type Problem } from "../../../conformance/values/index.ts";
import { objectsIn, sameFields } from "../../../generator/model/event-examples.ts";
import type { EventModel } from "../../../generator/model/service-model.ts";
import { sampleOf, type AnswerOptions } from "../answers.ts";

/** Where the values of an event's payload come from, after the spec's examples: the later of these wins. */
export interface PayloadSources {
  /** Tells events of one kind apart. */
  readonly sampleKey: string;
  /** The fields of such an object in the spec's examples: `exampleFields` of the event. */
  readonly examples: object;
  /** The result of the call that caused it: what it says of the same object is taken from it. */
  readonly result?: unknown;
  /** Fields that the trigger names; an object within changes only what it names. */
  readonly wanted?: object;
}

/** A payload that fits the event's type, or what of `wanted` does not. */
export function payloadOf(
  event: EventModel,
  { sampleKey, examples, result, wanted = {} }: PayloadSources,
  options: AnswerOptions,
): { readonly payload: unknown } | { readonly problems: readonly Problem[] } {
  const { model } = options;
  const sample = sampleOf(options, event.payload, [event.name, sampleKey]);
  const payload = merged(
    { ...Object(sample), ...examples, ...sameFields(event, objectsIn(result), model) },
    wanted,
  );
  const problems = problemsOf(event.payload, payload, readingOf(model));
  return problems.length === 0 ? { payload } : { problems };
}

/** A value with the fields of another in place of its own, level by level. */
function merged(value: object, wanted: object): object {
  const own = new Map<string, unknown>(Object.entries(value));
  for (const [name, part] of Object.entries(wanted)) {
    const present = own.get(name);
    own.set(name, isJsonObject(present) && isJsonObject(part) ? merged(present, part) : part);
  }
  return Object.fromEntries(own);
}
