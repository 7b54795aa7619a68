import { partsOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";

/** `errors.ts`: the codes of the interface and what each of them says. */
export const emitter: Emitter = {
  name: "errors",
  needs: ["types", "validators"],
  emit: (model, layout) => partsOf(model).server.errors(model, layout),
};
