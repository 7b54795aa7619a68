import { preamble } from "../../print/preamble.ts";
import type { Emitter } from "../emitter.ts";
import { printedValidators } from "./printed-validators.ts";
import { validatorModules } from "./validator-modules.ts";

/**
 * `validators/`: an ES module each for payloads, results, events and error data, each with its declarations. They
 * import nothing but `support.js` and compile nothing at run time.
 */
export const emitter: Emitter = {
  name: "validators",
  needs: ["support"],
  emit: (model, layout) => validatorModules(printedValidators(model), preamble(model), layout),
};
