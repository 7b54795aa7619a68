import { importedValue, printModule } from "../../print/module.ts";
import type { Emitter } from "../emitter.ts";
import { declarationsOf, supportModule, zodPreamble } from "./declarations.ts";
import { ruleFunction, ruleFunctions } from "./rule-functions.ts";

/**
 * `schemas.ts`: a zod schema for every named type, payload, form, result and event. They take the same values as the
 * validators. The formats are the same functions, lengths are in code points, integers have no bound of their own,
 * and unknown properties are kept.
 */
export const emitter: Emitter = {
  name: "zod",
  needs: ["support"],
  emit(model, layout) {
    const path = `${layout.out}/schemas.ts`;
    const printed = declarationsOf(model);
    const { declarations, rules } = printed;
    const constants = declarations.map(({ declaration }) => declaration);
    const functions = [...ruleFunctions].filter(([name]) => rules.has(name));
    const text = printModule({
      path,
      preamble: zodPreamble(model, printed),
      declares: ["z", ...declarations.map(({ name }) => name), ...functions.map(([name]) => name)],
      body: [
        ...constants,
        ...functions.map(([name, source]) =>
          ruleFunction(name, source, (called) => importedValue(called, supportModule)),
        ),
      ],
      places: { [supportModule]: `${layout.out}/validators/support.js` },
    });
    return [{ path, ownership: "owned", text }];
  },
};
