import { jsonDocument } from "../../print/json-document.ts";
import type { Emitter } from "../emitter.ts";
import { casesOf } from "./cases.ts";
import { suiteOf } from "./suite-of.ts";

/**
 * `conformance/`: what implementations of the interface are tried by, as data. `suite.json` is the interface,
 * `cases.jsonl` one request and its right answer a line. `ledger-rpc conform` runs them; so can anything else.
 */
export const emitter: Emitter = {
  name: "conformance",
  emit(model, layout) {
    const suite = suiteOf(model);
    const cases = casesOf(model, suite);
    const folder = `${layout.out}/conformance`;
    return [
      { path: `${folder}/suite.json`, ownership: "owned", text: jsonDocument(suite) },
      {
        path: `${folder}/cases.jsonl`,
        ownership: "owned",
        text: cases.map((each) => `${JSON.stringify(each)}\n`).join(""),
      },
    ];
  },
};
