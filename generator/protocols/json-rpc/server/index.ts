import type { ServiceModel } from "../../../model/service-model.ts";
import { everyMethodNames, namedErrors } from "../../../model/standard-errors.ts";
import type { ServedErrors, ServerPart } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import { handlers } from "./handlers.ts";
import { documentModule, errorMembers, standardMethods } from "./methods.ts";

/** What a service of JSON-RPC 2.0 is written against. */
export const server: ServerPart = {
  errors,
  methods: (model, layout) => [
    standardMethods({ model, wire: wireOf(model), layout, errors: errors(model) }),
    documentModule({ model, layout }),
  ],
  handlers,
};

/** Several may have one code on the wire. */
function errors(model: ServiceModel): ServedErrors {
  const wire = wireOf(model);
  const everyMethod = new Set(everyMethodNames(model, wire));
  const list = namedErrors(model, wire).map((error) => ({
    ...error,
    isEveryMethod: everyMethod.has(error.name),
    members: errorMembers(error),
  }));
  return { list, descriptor: "JsonRpcErrorDescriptor", hasData: true };
}
