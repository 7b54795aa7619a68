import type { LoadedSuite } from "../../../conformance/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import { everyProtocol, jsonFile, type Emitter, type FileDraft } from "../emitter.ts";
import { unknownCases } from "./case-check.ts";
import { casesOf } from "./cases.ts";
import { packageFiles } from "./package-files.ts";
import { suiteOf } from "./suite-of.ts";
import { oncePer } from "../../source/once-per.ts";

/**
 * `conformance/`: what implementations of the interface are tried by, as data. `suite.json` is the interface,
 * `cases.jsonl` one request and its right answer a line. `ledger-rpc conform` runs them; so can anything else. The rest is
 * what `npm run pack -- conformance` makes a package of.
 */
export const emitter: Emitter = {
  name: "conformance",
  protocols: everyProtocol,
  check(model) {
    if (model.requirements.length === 0) return [];
    const { suite, cases } = madeOf(model);
    return unknownCases(model, suite, cases);
  },
  emit(model, layout) {
    const { suite, cases } = madeOf(model);
    const folder = `${layout.out}/conformance`;
    return [
      jsonFile(`${folder}/suite.json`, suite),
      {
        path: `${folder}/cases.jsonl`,
        ownership: "owned",
        text: cases.map((each) => lineOf(each)).join(""),
      },
      ...Object.entries(packageFiles(model, suite, cases)).map(([name, text]): FileDraft => ({
        path: `${folder}/${name}`,
        ownership: "owned",
        text,
      })),
    ];
  },
};

const madeOf = oncePer((model: ServiceModel): LoadedSuite => {
  const suite = suiteOf(model);
  return { suite, cases: casesOf(model, suite) };
});

const lineOf = oncePer((each: Case) => `${JSON.stringify(each)}\n`);
