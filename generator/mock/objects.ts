import { isJsonObject } from "../../conformance/values/index.ts";
import { payloadShapes, resolve } from "../model/resolve.ts";
import type { FieldModel, MethodModel, ServiceModel, Shape } from "../model/service-model.ts";

/** The objects that a mock knows: the samples of its access file, the spec's examples, and those that it has answered with. */
export interface Objects {
  /** The first identifier of each sample that a payload names; `own`: of the object that it makes, chosen by the caller. */
  sent(method: MethodModel, payload: object, own?: "own"): ReadonlyMap<string, string>;
  /** An identifier of an object that is there. */
  known(sample: string): string | undefined;
  /** The code of the first object that a payload names and that is not there, where the method declares the code. */
  absent(method: MethodModel, payload: object): string | undefined;
  /** Takes note of the identifiers in a result of a method that creates. */
  created(method: MethodModel, result: unknown): void;
}

/** Identifiers that are kept: the oldest is forgotten first. */
const keptMax = 10_000;

export function createObjects(model: ServiceModel, samples: Readonly<Record<string, string>>): Objects {
  const known = new Map<string, Set<string>>();
  for (const [name, value] of Object.entries(samples)) known.set(name, new Set([value]));
  for (const { payload, result, examples } of model.methods) {
    for (const { payload: sentPayload, result: given, error } of examples) {
      if (error !== undefined) continue;
      for (const shape of payloadShapes(payload)) visit(model, shape, sentPayload, keep);
      visit(model, result, given, keep);
    }
  }
  const absentCodes = new Map(
    model.resources.flatMap(({ absent, samples: own }) => own.map(({ name }) => [name, absent] as const)),
  );

  function keep({ identifies, refersTo }: FieldModel, text: string): void {
    known.get(identifies ?? refersTo ?? "")?.add(text);
  }

  function allSent(
    { payload }: MethodModel,
    value: object,
    own?: "own",
  ): readonly (readonly [string, string])[] {
    const found: (readonly [string, string])[] = [];
    for (const shape of payloadShapes(payload))
      visit(model, shape, value, ({ identifies, refersTo }, text) => {
        const sample = identifies ?? (own === undefined ? refersTo : undefined);
        if (sample !== undefined) found.push([sample, text]);
      });
    return found;
  }

  return {
    // The last entry of a map wins: the first one that was sent.
    sent: (method, payload, own) => new Map(allSent(method, payload, own).toReversed()),
    known: (sample) => samples[sample],
    absent(method, payload) {
      const codes = new Set(method.errors.map(({ code }) => code));
      for (const [sample, value] of allSent(method, payload)) {
        const code = absentCodes.get(sample);
        const there = known.get(sample);
        if (code !== undefined && codes.has(code) && there !== undefined && !there.has(value)) return code;
      }
      return undefined;
    },
    created(method, result) {
      if (method.effect !== "create") return;
      visit(model, method.result, result, ({ identifies }, text) => {
        const there = identifies === undefined ? undefined : known.get(identifies);
        if (there === undefined) return;
        there.add(text);
        const [, oldest] = there;
        if (there.size > keptMax && oldest !== undefined) there.delete(oldest);
      });
    },
  };
}

/** Calls `found` for every text that a field of a value holds, or that is in its list. */
export function visit(
  model: ServiceModel,
  shape: Shape,
  value: unknown,
  found: (field: FieldModel, text: string) => void,
): void {
  const resolved = resolve(model, shape);
  if (resolved.kind === "array" && Array.isArray(value)) {
    for (const item of value) visit(model, resolved.items, item, found);
    return;
  }
  if (resolved.kind !== "object" || !isJsonObject(value)) return;
  const parts = new Map<string, unknown>(Object.entries(value));
  for (const field of resolved.fields) {
    const part = parts.get(field.name);
    const texts = (Array.isArray(part) ? part : [part]).filter((each) => typeof each === "string");
    for (const text of texts) found(field, text);
    if (texts.length === 0) visit(model, field.shape, part, found);
  }
}
