import { partsOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";
import { contextsStub } from "./contexts-stub.ts";
import { handlerTypes } from "./handler-types.ts";
import { methodStub } from "./method-stub.ts";
import { registry } from "./registry.ts";

/**
 * `handlers.ts`: the type of every handler; and, in the folder of hand-written bodies, one stub a method, the
 * contexts they are given, and the registry that lists them all.
 */
export const emitter: Emitter = {
  name: "handlers",
  needs: ["errors", "revisions", "types"],
  emit(model, layout) {
    const part = partsOf(model).server.handlers;
    return [
      handlerTypes(model, layout, part),
      registry(model, layout, part),
      contextsStub(layout),
      ...model.methods.map((method) => methodStub(method, model, layout)),
    ];
  },
};
