import {
  flatMethods as flatOf,
  isFlat,
  selectedFlat as selectedOf,
} from "../../conformance/suite/methods.ts";
import type { FlatMethodModel, MethodModel, ServiceModel } from "./service-model.ts";

/** The operations with flat bodies, in the order in which a body is held against them (D-22). */
export function flatMethods({ methods }: Pick<ServiceModel, "methods">): readonly FlatMethodModel[] {
  return flatOf(methods);
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
  { methods }: Pick<ServiceModel, "methods">,
  path: string | undefined,
  read: (field: string) => unknown,
): FlatMethodModel | undefined {
  return selectedOf(methods, path, read);
}

/** All methods, those with flat bodies in the order of `flatMethods`: services and fakes look at them in this order. */
export function methodsAsTried(model: Pick<ServiceModel, "methods">): readonly MethodModel[] {
  const flat = flatMethods(model).values();
  return model.methods.map((method) => (isFlat(method) ? (flat.next().value ?? method) : method));
}
