import { isDeepStrictEqual } from "node:util";
import { payloadShapes, resolve } from "../model/resolve.ts";
import type { ExampleModel, MethodModel, ServiceModel, Shape } from "../model/service-model.ts";
import { instanceOf } from "../samples/index.ts";

/** What a mock answers to a call: a result, or the name of an error. */
export type MockAnswer =
  { readonly kind: "result"; readonly value: unknown } | { readonly kind: "error"; readonly name: string };

/**
 * What a method answers: to the params of one of the spec's examples what that example says; to others the result of the
 * first example that has one, and where there is none a value made from the result's type. The same params are always
 * answered alike.
 */
export function answerOf(model: ServiceModel, method: MethodModel, params: object): MockAnswer {
  const fitting = method.examples.find(({ payload }) => isDeepStrictEqual(payload, params));
  const answer = fitting === undefined ? undefined : answerIn(fitting);
  if (answer !== undefined) return answer;
  const example = method.examples.find(({ result }) => result !== undefined);
  const value = example === undefined ? sampleOf(model, method.result) : example.result;
  return { kind: "result", value: withCallersValues(model, method, value, params) };
}

function answerIn({ result, error }: ExampleModel): MockAnswer | undefined {
  if (error !== undefined) return { kind: "error", name: error };
  return result === undefined ? undefined : { kind: "result", value: result };
}

/** A value that fits a type. */
export function sampleOf(model: ServiceModel, shape: Shape): unknown {
  return instanceOf(shape, "maximal", { direction: "response", resolve: (each) => resolve(model, each) });
}

/** Repeats what the caller sent where the result has a field of the same name and type: it reads less odd. */
function withCallersValues(
  model: ServiceModel,
  method: MethodModel,
  value: unknown,
  params: object,
): unknown {
  const result = resolve(model, method.result);
  if (result.kind !== "object" || typeof value !== "object" || value === null) return value;
  const sent = new Map(Object.entries(params));
  const [payload] = payloadShapes(method.payload);
  const repeated = result.fields.filter(({ name, shape }) => {
    const parameter = payload?.fields.find((each) => each.name === name);
    return sent.has(name) && parameter !== undefined && isDeepStrictEqual(parameter.shape, shape);
  });
  return { ...value, ...Object.fromEntries(repeated.map(({ name }) => [name, sent.get(name)])) };
}
