import { hash } from "node:crypto";
import type { MethodModel, ServiceModel, Shape } from "../model/service-model.ts";

/** What tells one state of a model's declarations from another: equal digests, equal output. */
export interface DeclarationDigests {
  /** Of a method, with every type that it reaches. */
  ofMethod(method: MethodModel): string;
  /** Of all that is neither a method nor a type. */
  readonly ofRest: string;
}

const known = new WeakMap<ServiceModel, DeclarationDigests>();

export function declarationDigests(model: ServiceModel): DeclarationDigests {
  const digests = known.get(model) ?? computed(model);
  known.set(model, digests);
  return digests;
}

function computed(model: ServiceModel): DeclarationDigests {
  const types = new Map(model.types.map((type) => [type.name, type]));
  const texts = new Map<string, string>();
  const textOf = (name: string): string => {
    const text = texts.get(name) ?? withoutPlaces(types.get(name));
    texts.set(name, text);
    return text;
  };
  const reach = (shape: Shape, names: Set<string>): void => {
    if (shape.kind === "array") reach(shape.items, names);
    if (shape.kind === "object") for (const field of shape.fields) reach(field.shape, names);
    const type = shape.kind === "ref" && !names.has(shape.type) ? types.get(shape.type) : undefined;
    if (type === undefined) return;
    names.add(type.name);
    reach(type.shape, names);
  };
  return {
    ofMethod(method) {
      const { payload, result } = method;
      const shapes = payload.kind === "forms" ? payload.forms.map(({ shape }) => shape) : [payload.shape];
      const names = new Set<string>();
      for (const shape of [...shapes, result]) reach(shape, names);
      return digestOf([withoutPlaces(method), ...[...names].toSorted().map(textOf)]);
    },
    ofRest: digestOf([withoutPlaces({ ...model, methods: [], types: [] })]),
  };
}

function digestOf(texts: readonly string[]): string {
  return hash("sha256", texts.join("\n"), "base64");
}

function withoutPlaces(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === "span" ? undefined : inner)) ?? "";
}
