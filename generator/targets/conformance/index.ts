import type { ServiceModel } from "../../model/service-model.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import type { Suite, MethodEntry } from "../../../conformance/suite/suite.ts";
import { jsonFile, type Emitter, type FileDraft } from "../emitter.ts";
import { partOf } from "../../protocols/parts.ts";
import { CaseList } from "./case-list.ts";
import { exampleCases } from "./example-cases.ts";
import { packageFiles } from "./package-files.ts";
import { suiteOf } from "./suite-of.ts";
import { idsOfPayload } from "../../../conformance/cases/all-cases.ts";
import { ruleNames } from "../../../conformance/exploration/rules.ts";
import { unpackedIds } from "../../../conformance/suite/packed-ids.ts";
import { createReporter, type Diagnostic } from "../../language/diagnostics/index.ts";
import { closest } from "../../language/index.ts";

/**
 * `conformance/`: what implementations of the interface are tried by, as data. `suite.json` is the interface, of whose
 * shapes `ledger-rpc conform` makes what payloads may and may not be; `cases.jsonl` has all other cases, one request and
 * its right answer a line. The rest is what `npm run pack -- conformance` makes a package of.
 */
export const emitter: Emitter = {
  name: "conformance",
  part: "cases",
  check(model) {
    if (model.requirements.length === 0) return [];
    const { suite, written } = madeOf(model);
    return unknownCases(model, suite, written);
  },
  emit(model, layout) {
    const { suite, written } = madeOf(model);
    const folder = `${layout.out}/conformance`;
    return [
      jsonFile(`${folder}/suite.json`, suite),
      {
        path: `${folder}/cases.jsonl`,
        ownership: "owned",
        text: written.map((each) => `${JSON.stringify(each)}\n`).join(""),
      },
      ...Object.entries(packageFiles(model, suite, written)).map(([name, text]): FileDraft => ({
        path: `${folder}/${name}`,
        ownership: "owned",
        text,
      })),
    ];
  },
};

interface Made {
  readonly suite: Suite;
  readonly written: readonly Case[];
}

function madeOf(model: ServiceModel): Made {
  const part = partOf(model, "cases");
  const suite = suiteOf(model, part);
  const list = new CaseList(model, suite);
  exampleCases(list);
  part.add(list);
  return { suite, written: list.cases };
}

/** The cases of requirements that there are not. Of payloads, only operations that are named are looked at. */
function unknownCases(model: ServiceModel, suite: Suite, written: readonly Case[]): readonly Diagnostic[] {
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
