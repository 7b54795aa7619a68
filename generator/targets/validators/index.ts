import { preamble } from "../../print/preamble.ts";
import type { Emitter } from "../emitter.ts";
import { printedValidators } from "./printed-validators.ts";
import { validatorModules } from "./validator-modules.ts";

/**
 * `validators/`: an ES module each for payloads, results, events and errors' data, that imports nothing but `support.js`
 * and compiles nothing at run time; each with its declarations.
 */
export const emitter: Emitter = {
  name: "validators",
  needs: ["support"],
  emit: (model, layout) => validatorModules(printedValidators(model), preamble(model), layout),
};
