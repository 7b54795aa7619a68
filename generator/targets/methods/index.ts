import { partOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";

/** `methods.ts`: everything that the service needs to know of the interface, as data. */
export const emitter: Emitter = {
  name: "methods",
  part: "server",
  needs: ["errors", "shapes", "validators"],
  emit: (model, layout) => partOf(model, "server").methods(model, layout),
};
