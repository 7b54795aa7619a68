import { catalogueProblems } from "./catalogues.ts";
import { conventionProblems } from "./conventions.ts";
import { documentClaims } from "./document-claims.ts";
import { sectionsOf } from "./document.ts";
import { differences } from "./field-claim.ts";
import { operationProblems } from "./operations.ts";
import { documentedTypes, specClaims } from "./spec-claims.ts";
import type { SpecFiles } from "./spec-files.ts";
import { stateProblems } from "./states.ts";

/** Every row and list of the document that the spec does not answer, and the reverse, in words. */
export function coverageProblems(markdown: string, spec: SpecFiles): readonly string[] {
  const sections = sectionsOf(markdown);
  return [
    ...differences(documentClaims(sections), specClaims(spec)),
    ...operationProblems(sections, spec),
    ...catalogueProblems(sections, spec),
    ...stateProblems(sections, spec),
    ...conventionProblems(sections, spec),
    ...uncited(spec),
  ];
}

/** Everything cites its section; types outside the document are by decision. */
function uncited(spec: SpecFiles): readonly string[] {
  const documented = documentedTypes(spec);
  const lists = {
    type: spec.types,
    method: spec.methods,
    event: spec.events,
    state: spec.states,
    rule: spec.rules,
  };
  const withoutSection = Object.entries(lists).flatMap(([what, list]) =>
    Object.entries(list).flatMap(([name, each]) => (each.section ? [] : [`${what} ${name}: no section`])),
  );
  const undecided = Object.entries(spec.types).flatMap(([name, type]) =>
    documented.has(name) || type.decision !== undefined
      ? []
      : [`type ${name}: neither documented nor decided`],
  );
  return [...withoutSection, ...undecided];
}
