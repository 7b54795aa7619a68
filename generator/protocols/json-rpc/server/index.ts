import type { ServerPart } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import { standardErrors } from "./errors.ts";
import { handlers } from "./handlers.ts";
import { documentModule, standardMethods } from "./methods.ts";

/** What a service of JSON-RPC 2.0 is written against. */
export const server: ServerPart = {
  errors: (model, layout) => [standardErrors(model, wireOf(model), layout)],
  methods: (model, layout) => [
    standardMethods({ model, wire: wireOf(model), layout }),
    documentModule({ model, layout }),
  ],
  handlers,
};
