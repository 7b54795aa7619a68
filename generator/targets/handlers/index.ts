import { everyProtocol, type Emitter } from "../emitter.ts";
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
  protocols: everyProtocol,
  needs: ["errors", "revisions", "types"],
  emit(model, layout) {
    return [
      handlerTypes(model, layout),
      registry(model, layout),
      contextsStub(layout),
      ...model.methods.map((method) => methodStub(method, model, layout)),
    ];
  },
};
