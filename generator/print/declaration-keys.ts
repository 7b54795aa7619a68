import { shapeParts } from "../model/resolve.ts";
import { restOf } from "../model/shared-model.ts";
import type { MethodModel, ServiceModel, Shape, TypeModel } from "../model/service-model.ts";
import { keyOf } from "./memo.ts";

/** Keys of what is printed of single declarations: the same key, the same text. */
export interface DeclarationKeys {
  /** Of a method, with every type that it reaches. */
  ofMethod(method: MethodModel): string;
  /** Of a type, with every type that it reaches. */
  ofType(type: TypeModel): string;
}

const known = new WeakMap<ServiceModel, DeclarationKeys>();

/**
 * Keys of a model's declarations. What is printed of one may depend on it, on the types that it reaches, on the names
 * of all types and methods, and on all that is neither a type nor a method.
 */
export function declarationKeys(model: ServiceModel): DeclarationKeys {
  const keys = known.get(model) ?? keysOf(model);
  known.set(model, keys);
  return keys;
}

function keysOf(model: ServiceModel): DeclarationKeys {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const rest = keyOf(restOf(model));
  const reach = (name: string, reached: Set<TypeModel>): void => {
    const type = types.get(name);
    if (type === undefined || reached.has(type)) return;
    reached.add(type);
    for (const next of typesNamedIn(type, type.shape)) reach(next, reached);
  };
  const keyOfReach = (declaration: MethodModel | TypeModel, names: readonly string[]): string => {
    const reached = new Set<TypeModel>();
    for (const name of names) reach(name, reached);
    return [keyOf(declaration), ...[...reached].map(keyOf), rest].join(" ");
  };
  return {
    ofMethod: (method) => keyOfReach(method, typesNamedIn(method, ...shapesOf(method))),
    ofType: (type) => keyOfReach(type, typesNamedIn(type, type.shape)),
  };
}

function shapesOf({ payload, result, resultType }: MethodModel): readonly Shape[] {
  const named = [payload.kind === "single" ? payload.type : undefined, resultType];
  return [
    ...(payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload.shape]),
    result,
    ...named.flatMap((type): readonly Shape[] => (type === undefined ? [] : [{ kind: "ref", type }])),
  ];
}

const named = new WeakMap<MethodModel | TypeModel, readonly string[]>();

function typesNamedIn(declaration: MethodModel | TypeModel, ...shapes: readonly Shape[]): readonly string[] {
  const found = named.get(declaration);
  if (found !== undefined) return found;
  const names = new Set<string>();
  const visit = (shape: Shape): void => {
    if (shape.kind === "ref") names.add(shape.type);
    for (const part of shapeParts(shape)) visit(part);
  };
  for (const shape of shapes) visit(shape);
  named.set(declaration, [...names]);
  return [...names];
}
