import type { ServiceModel } from "../../model/service-model.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import { jsonFile, type Emitter, type FileDraft } from "../emitter.ts";
import { unknownCases } from "./case-check.ts";
import { partOf } from "../../protocols/parts.ts";
import { CaseList } from "./case-list.ts";
import { exampleCases } from "./example-cases.ts";
import { packageFiles } from "./package-files.ts";
import { suiteOf } from "./suite-of.ts";

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
    const made = madeOf(model);
    checked.set(model, made);
    return unknownCases(model, made.suite, made.written);
  },
  emit(model, layout) {
    const { suite, written } = checked.get(model) ?? madeOf(model);
    checked.delete(model);
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

/** What was checked, until it is printed: both need all cases. */
const checked = new WeakMap<ServiceModel, Made>();
