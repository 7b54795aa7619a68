import type { Case } from "../../../conformance/suite/case.ts";
import { ruleNames } from "../../../conformance/exploration/rules.ts";
import { unpackedIds } from "../../../conformance/suite/packed-ids.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import { createReporter, type Diagnostic } from "../../diagnostics/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { closest } from "../../spec/index.ts";

/** The cases of requirements that there are not. */
export function unknownCases(
  { requirements }: ServiceModel,
  suite: Suite,
  cases: readonly Case[],
): readonly Diagnostic[] {
  const reporter = createReporter();
  const known = knownIds(suite, cases);
  for (const requirement of requirements) {
    const [id, ...more] = requirement.cases.flatMap(unpackedIds).filter((each) => !known.has(each));
    if (id === undefined) continue;
    const facts = { id, more: more.length, suggestion: closest(id, known) };
    reporter.report("unknown-case", requirement.span, facts);
  }
  return reporter.diagnostics;
}

function knownIds({ scenarios }: Suite, cases: readonly Case[]): ReadonlySet<string> {
  return new Set([
    ...cases.map(({ id }) => id),
    ...scenarios.map(({ name }) => `scenario/${name}`),
    ...ruleNames.map((name) => `exploration/${name}`),
  ]);
}
