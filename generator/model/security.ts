import { bySectionThen, type InterfaceSpec, type MethodSpec } from "../language/index.ts";
import { documented } from "./shape.ts";
import { sortedValue } from "./examples.ts";
import type { SchemeModel, SecurityAlternativeModel } from "./service-model.ts";

export function schemesOf({ schemes }: InterfaceSpec): readonly SchemeModel[] {
  return schemes
    .map((scheme) => ({
      ...documented(scheme),
      name: scheme.name.value,
      kind: scheme.kind?.value ?? "",
      options: Object.fromEntries(
        scheme.options
          .map(({ name, value }): [string, unknown] => [name.value, sortedValue(value)])
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    }))
    .toSorted(bySectionThen((scheme) => scheme.name));
}

/** The security of a method: its own, or else the interface's. The order of alternatives is the spec's; within one it means nothing. */
export function securityOf(method: MethodSpec, own: InterfaceSpec): readonly SecurityAlternativeModel[] {
  const { alternatives } = method.security ?? own.security ?? { alternatives: [] };
  return alternatives.map(({ schemes }) =>
    schemes
      .map(({ scheme, scopes }) => ({ scheme: scheme.value, scopes: scopes.map(({ value }) => value) }))
      .toSorted((a, b) => (a.scheme < b.scheme ? -1 : 1)),
  );
}
