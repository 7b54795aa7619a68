import type { DocumentedSpec } from "../spec/index.ts";
import type { Documented } from "./service-model.ts";
import { omitUndefined } from "../source/omit-undefined.ts";

/** The common keys, as the model carries them. */
export function documented(spec: DocumentedSpec): Documented {
  return omitUndefined({
    doc: spec.doc,
    section: spec.section,
    decisions: spec.decisions,
    since: spec.since?.value,
    deprecated: spec.deprecated,
    extensions: spec.extensions,
    span: spec.span,
  });
}
