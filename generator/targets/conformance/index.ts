import type { ServiceModel } from "../../model/service-model.ts";
import type { Case } from "../../../conformance/suite/case.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import { everyProtocol, jsonFile, type Emitter, type FileDraft } from "../emitter.ts";
import { unknownCases } from "./case-check.ts";
import { writtenCases } from "./cases.ts";
import { packageFiles } from "./package-files.ts";
import { suiteOf } from "./suite-of.ts";
import { createLastMemo } from "../../print/memo.ts";
import { oncePer } from "../../language/source/once-per.ts";

/**
 * `conformance/`: what implementations of the interface are tried by, as data. `suite.json` is the interface, of whose
 * shapes `ledger-rpc conform` makes what payloads may and may not be; `cases.jsonl` has all other cases, one request and
 * its right answer a line. The rest is what `npm run pack -- conformance` makes a package of.
 */
export const emitter: Emitter = {
  name: "conformance",
  protocols: everyProtocol,
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
        text: written.map((each) => lines.of(each, "", () => `${JSON.stringify(each)}\n`)).join(""),
      },
      ...Object.entries(packageFiles(model, suite, written)).map(([name, text]): FileDraft => ({
        path: `${folder}/${name}`,
        ownership: "owned",
        text,
      })),
    ];
  },
};

const lines = createLastMemo<Case, string>();

const madeOf = oncePer(
  (model: ServiceModel): { readonly suite: Suite; readonly written: readonly Case[] } => {
    const suite = suiteOf(model);
    return { suite, written: writtenCases(model, suite) };
  },
);
