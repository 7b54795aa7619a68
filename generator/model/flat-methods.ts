import type { HeldValue } from "../spec/index.ts";
import type { FlatMethodModel, MethodModel, ServiceModel } from "./service-model.ts";

/** The operations with flat bodies, in the order in which a body is held against them (D-22). */
export function flatMethods({ methods }: Pick<ServiceModel, "methods">): readonly FlatMethodModel[] {
  return methods
    .filter((method) => isFlat(method))
    .toSorted((a, b) => (a.transport.order ?? Infinity) - (b.transport.order ?? Infinity) || 0);
}

/** The path that a method is at. */
export function methodPath({ path }: MethodModel, model: Pick<ServiceModel, "path">): string {
  return path ?? model.path;
}

/**
 * The operation that a flat body is which is sent to `path`, a method's own one or undefined for the interface's. `read`
 * gives the body's value of a field, undefined where it has none.
 */
export function selectedFlat(
  model: Pick<ServiceModel, "methods">,
  path: string | undefined,
  read: (field: string) => unknown,
): FlatMethodModel | undefined {
  const flat = flatMethods(model).filter((method) => method.path === path);
  return flat.find(({ transport: { selectedBy, only = {} } }) => {
    if (selectedBy.length === 0) return true;
    const held = new Map(Object.entries(only));
    return selectedBy.some((field) => {
      const value = read(field);
      const values = held.get(field);
      return value !== undefined && (values === undefined || holds(values, value));
    });
  });
}

/** All methods, those with flat bodies in the order of `flatMethods`: services and fakes look at them in this order. */
export function methodsAsTried(model: Pick<ServiceModel, "methods">): readonly MethodModel[] {
  const flat = flatMethods(model).values();
  return model.methods.map((method) => (isFlat(method) ? (flat.next().value ?? method) : method));
}

function isFlat(method: MethodModel): method is FlatMethodModel {
  return method.transport.kind === "flat";
}

function holds(held: HeldValue, value: unknown): boolean {
  if ("oneOf" in held) return held.oneOf.some((one) => one === value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
}
