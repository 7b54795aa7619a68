import type { ServiceModel } from "../../../model/service-model.ts";
import { everyMethodNames, namedErrors } from "../../../model/standard-errors.ts";
import type { HandlersPart, HandlersSource, ServedErrors, ServerPart } from "../../protocol.ts";
import { wireOf } from "../wire.ts";
import { documentModule, errorMembers, standardMethods } from "./methods.ts";
import type { InterfaceNames } from "../../../print/interface-names.ts";
import { docComment } from "../../../print/doc-comment.ts";
import { braces, type Printable } from "../../../print/layout.ts";
import { propertyName } from "../../../print/literals.ts";
import { importedType } from "../../../print/module.ts";
import type { EmitLayout } from "../../../targets/emitter.ts";
import { handlerDeclaration } from "../../../targets/handlers/handler-declaration.ts";

/** The parts of `handlers.ts` of a standard interface: handlers throw named errors and may send notifications. */
const handlers: HandlersPart = {
  // A standard interface serves its current revision alone.
  servesRevisions: false,
  before(source) {
    const declares = [notificationsType(source.names)];
    return { declares, body: source.model.events.length === 0 ? [] : [notifications(source)] };
  },
  handler(method, { model, names, layout }) {
    const { errorCode, security } = names.of(method);
    const data = importedType("ErrorData", `${layout.out}/errors.ts`);
    const errors = ["Pick<", data, `, ${errorCode}>`];
    const auth = method.security.length === 0 ? "object" : authType(security, layout);
    const sent = model.events.length === 0 ? "object" : notificationsType(names);
    return handlerDeclaration("JsonRpcHandler", method, names, layout, errors, auth, sent);
  },
};

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

/** What the service may send by itself. */
function notifications({ model, names, layout }: HandlersSource): Printable {
  const members = model.events.map((event) => [
    docComment(event),
    `readonly ${propertyName(event.name)}: `,
    importedType(names.ofEvent(event), `${layout.out}/types.ts`),
    ";",
  ]);
  const comment = docComment({ doc: "What the service may send by itself, by its name on the wire." });
  return [comment, `export interface ${notificationsType(names)} `, braces(members)];
}

function notificationsType(names: InterfaceNames): string {
  return `${names.type}Notifications`;
}

function authType(security: string, layout: EmitLayout): Printable {
  const callers = [importedType("CallersOf", layout.contract), "<C>"];
  return [importedType("AuthOf", layout.contract), "<", security, ", ", callers, ">"];
}
