import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  drawnIdentifier,
  identifierShape,
  type IdentifierShapes,
  instanceOf,
  type SampleReading,
  scalarSample,
} from "../../conformance/samples/index.ts";
import { randomFrom } from "../../conformance/session/order.ts";
import { accepts, isJsonObject, memberOf } from "../../conformance/values/index.ts";
import { firstPageOf, payloadShapes, readingOf, resolve } from "../../generator/model/resolve.ts";
import type {
  ExampleModel,
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../generator/model/service-model.ts";
import type { Identifier, Objects } from "./objects.ts";

/** The answer of a mock: a result, or the name of an error. */
type MockAnswer =
  | { readonly kind: "result"; readonly value: unknown }
  | { readonly kind: "error"; readonly name: string };

export interface AnswerOptions {
  readonly model: ServiceModel;
  /** Of identifiers and of what is chosen where several values fit. */
  readonly seed: number;
  readonly objects: Objects;
}

/** One call, as far as its answer depends on it. */
export interface AnsweredCall {
  readonly method: MethodModel;
  readonly params: object;
  /** Tells calls apart that create: the id of the request, or how many there were before. */
  readonly sampleKey: string;
}

/**
 * The answer of a method. Params of an example get what that example says. Others get the result of the first example
 * that has one, else a value made from the result's type. Identifiers are those that were sent; what is created gets
 * new ones. The same call is always answered alike.
 */
export function answerOf(call: AnsweredCall, options: AnswerOptions): MockAnswer {
  const { method, params } = call;
  const fitting = method.examples.find(({ payload }) => isDeepStrictEqual(payload, params));
  if (fitting?.error !== undefined) return { kind: "error", name: fitting.error };
  if (hasResult(fitting)) {
    const value = new Repeating(call, options, "as it is").part(method.result, fitting.result, "");
    options.objects.created(method, value);
    return { kind: "result", value };
  }
  const absent = options.objects.absent(method, params);
  if (absent !== undefined) return { kind: "error", name: absent };
  const example = method.examples.find(hasResult);
  const value =
    example === undefined ? sampleOf(options, method.result, [method.name, params]) : example.result;
  const repeated = withCallersValues(options.model, method, value, params);
  const paged = lastPage(options.model, method, repeated, params);
  const { empty, items = "" } = method.paging ?? {};
  if (empty !== undefined && isEmptyList(memberOf(paged, items))) return { kind: "error", name: empty };
  const found = new Repeating(call, options).part(method.result, paged, "");
  options.objects.created(method, found);
  return { kind: "result", value: found };
}

function hasResult(example: ExampleModel | undefined): example is ExampleModel {
  return example?.result !== undefined;
}

/** A value that fits a type, and looks like the ones that the spec has as examples. The same for the same `about`. */
export function sampleOf({ model, seed }: AnswerOptions, shape: Shape, about: unknown): unknown {
  const reading: SampleReading = {
    ...readingOf(model),
    given(field: FieldModel, at) {
      if (field.example !== undefined) return field.example;
      const resolved = resolve(model, field.shape);
      const chosen = drawn(seed, JSON.stringify(about), at);
      if (resolved.kind === "enum") return resolved.values[chosen.below(resolved.values.length)]?.value;
      return resolved.kind === "string" && resolved.format === "uuid" ? chosen.uuid : undefined;
    },
  };
  return instanceOf(shape, "maximal", reading);
}

/** Repeats what the caller sent where the result has a field of the same name and type: it reads less odd. */
function withCallersValues(
  model: ServiceModel,
  method: MethodModel,
  value: unknown,
  params: object,
): unknown {
  const result = resolve(model, method.result);
  if (result.kind !== "object" || !isJsonObject(value)) return value;
  const sent = new Map(Object.entries(params));
  const fields = payloadShapes(method.payload).flatMap((shape) => shape.fields);
  const repeated = result.fields.filter(({ name, shape }) => {
    const parameter = fields.find((each) => each.name === name);
    return sent.has(name) && parameter !== undefined && isDeepStrictEqual(parameter.shape, shape);
  });
  return { ...value, ...Object.fromEntries(repeated.map(({ name }) => [name, sent.get(name)])) };
}

function isEmptyList(items: unknown): boolean {
  return Array.isArray(items) && items.length === 0;
}

/**
 * Ends a list. By page numbers, only the first page has items. By cursors, the second page has no next cursor, if the
 * result may lack it.
 */
function lastPage(model: ServiceModel, method: MethodModel, value: unknown, params: object): unknown {
  const { paging } = method;
  const result = resolve(model, method.result);
  if (paging === undefined || result.kind !== "object" || !isJsonObject(value)) return value;
  const sent = new Map<string, unknown>(Object.entries(params));
  if (paging.page !== undefined) {
    const page = sent.get(paging.page);
    const isFurther = page !== undefined && Number(page) > firstPageOf(method, model);
    return isFurther ? { ...value, [paging.items]: [] } : value;
  }
  const field = result.fields.find(({ name }) => name === paging.next);
  if (field === undefined || !sent.has(paging.cursor)) return value;
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== field.name));
  if (field.presence.kind === "optional") return rest;
  return { ...rest, [field.name]: resolve(model, field.shape).kind === "nullable" ? null : "" };
}

/**
 * Writes the identifiers of this call into a result, unless it is kept as it is. Fields that responses have under two
 * names get both.
 */
class Repeating {
  readonly #call: AnsweredCall;
  readonly #options: AnswerOptions;

  readonly #isKept: boolean;

  constructor(call: AnsweredCall, options: AnswerOptions, kept?: "as it is") {
    this.#isKept = kept !== undefined;
    this.#call = call;
    this.#options = options;
  }

  part(shape: Shape, value: unknown, at: string): unknown {
    const resolved = resolve(this.#options.model, shape);
    if (resolved.kind === "object" && isJsonObject(value)) return this.#object(resolved, value, at);
    if (resolved.kind === "array" && Array.isArray(value))
      return value.map((item, index) => this.part(resolved.items, item, `${at}/${index}`));
    const chosen = this.#chosen(resolved, value);
    return chosen === undefined ? value : this.part(chosen, value, at);
  }

  /** The alternative that a value is. */
  #chosen(shape: Shape, value: unknown): Shape | undefined {
    switch (shape.kind) {
      case "nullable":
        return value === null ? undefined : shape.shape;
      case "union":
        return shape.alternatives.find((each) => accepts(each, value, readingOf(this.#options.model)));
      case "tagged":
        return shape.cases.find(({ tag }) => memberOf(value, shape.discriminator) === tag)?.shape;
      default:
        return undefined;
    }
  }

  #object(shape: ObjectTypeShape, value: object, at: string): object {
    const parts = new Map<string, unknown>(Object.entries(value));
    for (const field of shape.fields) {
      if (!parts.has(field.name)) continue;
      const part =
        this.#identifier(field, at) ?? this.part(field.shape, parts.get(field.name), `${at}/${field.name}`);
      parts.set(field.name, part);
      if (field.alsoSentAs !== undefined) parts.set(field.alsoSentAs, part);
    }
    return Object.fromEntries(parts);
  }

  /** In lists only the first item is the object that the call is about. What is created gets one like the known ones. */
  #identifier({ identifies, refersTo, name, shape }: FieldModel, at: string): unknown {
    const sample = identifies ?? refersTo;
    if (sample === undefined || this.#isKept || /\/[1-9]/.test(at)) return undefined;
    const { model, objects, seed } = this.#options;
    const { method, params, sampleKey } = this.#call;
    const known = objects.known(sample);
    if (identifies === undefined || method.effect !== "create")
      return objects.sent(method, params).get(sample) ?? known;
    const chosen = objects.sent(method, params, "own").get(sample);
    if (chosen !== undefined) return chosen;
    const chance = drawn(seed, method.name, JSON.stringify(params), sampleKey, name);
    const alike = typeof known === "string" ? [chance.like(known)] : [];
    return identifierOf([shape], readingOf(model), chance, alike);
  }
}

/**
 * A new identifier that fits all of several types: the first of `plain` that does, a UUID, or a random value. Without
 * one, a value that fits the first type.
 */
export function identifierOf(
  shapes: IdentifierShapes,
  reading: SampleReading,
  { uuid, random }: Pick<Drawn, "uuid" | "random">,
  plain: readonly string[] = [],
): Identifier {
  const options = { plain: [...plain, uuid] };
  const drawnOne = drawnIdentifier(shapes, random, reading, options);
  if (drawnOne !== undefined) return drawnOne;
  const value = scalarSample(identifierShape(shapes[0], reading), reading);
  return typeof value === "string" || typeof value === "number" ? value : uuid;
}

/** Values drawn from a seed and texts: equal inputs give equal values. */
interface Drawn {
  /** A UUID of version 8 (RFC 9562), whose bits are the application's own. */
  readonly uuid: string;
  /** A text like another: each digit and each letter by one of its kind. */
  like(text: string): string;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** From 0 up to, and without, `count`. */
  below(count: number): number;
}

export function drawn(seed: number, ...texts: readonly string[]): Drawn {
  const hex = hash("sha256", JSON.stringify([seed, ...texts]), "hex");
  const variant = "89ab"[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return {
    uuid: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    random: randomFrom(Number.parseInt(hex.slice(52, 60), 16)),
    like: (text) => {
      const random = randomFrom(Number.parseInt(hex.slice(44, 52), 16));
      const from = (alphabet: string): string => alphabet[Math.floor(random() * alphabet.length)] ?? "";
      return text
        .replaceAll(/[0-9]/g, () => from("0123456789"))
        .replaceAll(/[A-Z]/g, () => from("ABCDEFGHJKMNPQRSTVWXYZ"))
        .replaceAll(/[a-z]/g, () => from("abcdefghjkmnpqrstvwxyz"));
    },
    below: (count) => Number.parseInt(hex.slice(32, 44), 16) % count,
  };
}
