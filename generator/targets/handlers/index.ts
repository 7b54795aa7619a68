import { partOf } from "../../protocols/parts.ts";
import type { Emitter } from "../emitter.ts";
import { contextsStub } from "./contexts-stub.ts";
import { handlerTypes } from "./handler-types.ts";
import { methodStub } from "./method-stub.ts";
import { registry } from "./registry.ts";

/**
 * `handlers.ts` has the type of every handler. The folder of hand-written bodies has one stub per method, their
 * contexts, and the registry that lists them all.
 */
export const emitter: Emitter = {
  name: "handlers",
  part: "server",
  needs: ["errors", "revisions", "types"],
  emit(model, layout) {
    const server = partOf(model, "server");
    return [
      handlerTypes(model, layout, server),
      registry(model, layout, server.handlers),
      contextsStub(layout),
      ...model.methods.map((method) => methodStub(method, model, layout)),
    ];
  },
};
