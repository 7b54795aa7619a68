import type { Samples } from "../../conformance/request/access.ts";
import { isJsonObject } from "../../conformance/values/index.ts";
import { payloadShapes, resolve } from "../../generator/model/resolve.ts";
import type { FieldModel, MethodModel, ServiceModel, Shape } from "../../generator/model/service-model.ts";

/** The value of a sample. */
export type Identifier = Samples[string];

/** The objects that a mock knows: the samples of its access file, the spec's examples, and those that it has answered with. */
export interface Objects {
  /** The first identifier of each sample that a payload names; `own`: of the object that it makes, chosen by the caller. */
  sent(method: MethodModel, payload: object, own?: "own"): ReadonlyMap<string, Identifier>;
  /** An identifier of an object that is there. */
  known(sample: string): Identifier | undefined;
  /** The code of the first object that a payload names and that is not there, where the method declares the code. */
  absent(method: MethodModel, payload: object): string | undefined;
  /** Takes note of the identifiers in a result of a method that creates. */
  created(method: MethodModel, result: unknown): void;
}

/** Identifiers that are kept: the oldest is forgotten first. */
const keptMax = 10_000;

export function createObjects(model: ServiceModel, samples: Samples): Objects {
  const known = new Map<string, Set<Identifier>>();
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

  function keep({ identifies, refersTo }: FieldModel, value: Identifier): void {
    known.get(identifies ?? refersTo ?? "")?.add(value);
  }

  function allSent(
    { payload }: MethodModel,
    value: object,
    own?: "own",
  ): readonly (readonly [string, Identifier])[] {
    const found: (readonly [string, Identifier])[] = [];
    for (const shape of payloadShapes(payload))
      visit(model, shape, value, ({ identifies, refersTo }, identifier) => {
        const sample = identifies ?? (own === undefined ? refersTo : undefined);
        if (sample !== undefined) found.push([sample, identifier]);
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
      visit(model, method.result, result, ({ identifies }, identifier) => {
        const there = identifies === undefined ? undefined : known.get(identifies);
        if (there === undefined) return;
        there.add(identifier);
        const [, oldest] = there;
        if (there.size > keptMax && oldest !== undefined) there.delete(oldest);
      });
    },
  };
}

/** Calls `found` for every text and whole number that a field of a value holds, or that is in its list. */
export function visit(
  model: ServiceModel,
  shape: Shape,
  value: unknown,
  found: (field: FieldModel, value: Identifier) => void,
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
    const scalars = (Array.isArray(part) ? part : [part]).filter(
      (each): each is Identifier => typeof each === "string" || typeof each === "number",
    );
    for (const scalar of scalars) found(field, scalar);
    if (scalars.length === 0) visit(model, field.shape, part, found);
  }
}
