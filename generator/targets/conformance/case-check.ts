import { idsOfPayload } from "../../../conformance/cases/all-cases.ts";
import { ruleNames } from "../../../conformance/exploration/rules.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import { unpackedIds } from "../../../conformance/suite/packed-ids.ts";
import type { MethodEntry, Suite } from "../../../conformance/suite/suite.ts";
import { createReporter, type Diagnostic } from "../../language/diagnostics/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { closest } from "../../language/index.ts";

/** The cases of requirements that there are not. Of payloads, only operations that are named are looked at. */
export function unknownCases(
  model: ServiceModel,
  suite: Suite,
  written: readonly Case[],
): readonly Diagnostic[] {
  const reporter = createReporter();
  const named = model.requirements.map(({ span, cases }) => ({ span, ids: cases.flatMap(unpackedIds) }));
  const known = writtenIds(suite, written);
  const payloadsOf = (entries: readonly MethodEntry[]): void => {
    for (const id of entries.flatMap((entry) => idsOfPayload(entry, suite))) known.add(id);
  };
  const heads = new Set(named.flatMap(({ ids }) => ids.filter((id) => !known.has(id)).map(headOf)));
  payloadsOf(suite.methods.filter(({ name }) => heads.has(headOf(name))));
  const unknown = named.map(({ span, ids }) => ({ span, ids: ids.filter((id) => !known.has(id)) }));
  // What is meant may be a case of any operation.
  if (unknown.some(({ ids }) => ids.length > 0)) payloadsOf(suite.methods);
  for (const { span, ids } of unknown) {
    const [id, ...more] = ids;
    if (id === undefined) continue;
    reporter.report("unknown-case", span, { id, more: more.length, suggestion: closest(id, known) });
  }
  return reporter.diagnostics;
}

function writtenIds({ scenarios }: Suite, written: readonly Case[]): Set<string> {
  return new Set([
    ...written.map(({ id }) => id),
    ...scenarios.map(({ name }) => `scenario/${name}`),
    ...ruleNames.map((name) => `exploration/${name}`),
  ]);
}

/** The part before the first slash: of a case's id, the beginning of its operation's name. */
function headOf(id: string): string {
  const [head = ""] = id.split("/", 1);
  return head;
}
