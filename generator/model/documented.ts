import type { DocumentedSpec } from "../spec/index.ts";
import type { Documented } from "./service-model.ts";

/** The common keys, as the model carries them. */
export function documented(spec: DocumentedSpec): Documented {
  return {
    doc: spec.doc,
    ...when("section", spec.section),
    decisions: spec.decisions,
    ...when("since", spec.since?.value),
    ...when("deprecated", spec.deprecated),
    span: spec.span,
  };
}

/** An optional property: there only if it has a value. */
export function when<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  if (value === undefined) return {};
  const present: { [P in K]?: V } = {};
  present[key] = value;
  return present;
}
