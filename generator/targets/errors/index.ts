import { partOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";

/** `errors.ts`: the codes of the interface and what each of them says. */
export const emitter: Emitter = {
  name: "errors",
  part: "server",
  needs: ["types", "validators"],
  emit: (model, layout) => partOf(model, "server").errors(model, layout),
};
