import { partOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";
import { errorsModule } from "./errors-module.ts";

/** `errors.ts`: the errors of the interface, and what is sent for each. */
export const emitter: Emitter = {
  name: "errors",
  part: "server",
  needs: ["types", "validators"],
  emit: (model, layout) => [errorsModule(model, layout, partOf(model, "server").errors(model))],
};
