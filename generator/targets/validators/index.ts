import { preamble } from "../../print/preamble.ts";
import type { Emitter } from "../emitter.ts";
import { printedValidators, validatorModules } from "./printed-validators.ts";

/**
 * `validators/`: an ES module each for payloads, results, events and error data, each with its declarations. They
 * import nothing but `support.js` and compile nothing at run time.
 */
export const emitter: Emitter = {
  name: "validators",
  needs: ["support"],
  emit: (model, layout) => validatorModules(printedValidators(model), preamble(model), layout),
};
