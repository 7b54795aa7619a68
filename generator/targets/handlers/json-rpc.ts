import type { JsonRpcWireModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import type { InterfaceNames } from "../../print/interface-names.ts";
import { docComment } from "../../print/doc-comment.ts";
import { braces, type Printable } from "../../print/layout.ts";
import { arrayLiteral, propertyName, stringLiteral } from "../../print/literals.ts";
import { importedType } from "../../print/module.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { EmitLayout } from "../emitter.ts";
import { handlerDeclaration } from "./handler-declaration.ts";
import { everyMethodNames } from "../../model/standard-errors.ts";

/** The names of the errors that a method of a standard interface can fail with. */
export function standardErrorNames(
  method: MethodModel,
  model: ServiceModel,
  wire: JsonRpcWireModel,
  names: InterfaceNames,
  layout: EmitLayout,
): Printable {
  const everyMethod = new Set(everyMethodNames(model, wire));
  const own = method.errors.filter(({ code }) => !everyMethod.has(code));
  const members: Printable[] = [
    importedType("EveryMethodErrorCode", `${layout.out}/errors.ts`),
    ...own.map(({ code }) => stringLiteral(code)),
  ];
  return unionDeclaration(
    names.of(method).errorCode,
    { doc: `What \`${method.name}\` can fail with.` },
    members,
  );
}

/** Names of the schemes of each alternative; nothing where the method is open. */
export function standardSecurity(method: MethodModel, names: InterfaceNames): Printable | undefined {
  if (method.security.length === 0) return undefined;
  const members = method.security.map((alternative) => [
    "readonly ",
    arrayLiteral(alternative.map(({ scheme }) => stringLiteral(scheme))),
  ]);
  const doc = `The authentication schemes of \`${method.name}\`: of one alternative all hold.`;
  return unionDeclaration(names.of(method).security, { doc }, members);
}

/** The type of the handler of a method of a standard interface. */
export function standardHandlerType(
  method: MethodModel,
  model: ServiceModel,
  names: InterfaceNames,
  layout: EmitLayout,
): Printable {
  const { errorCode, security } = names.of(method);
  const data = importedType("ErrorData", `${layout.out}/errors.ts`);
  const errors = ["Pick<", data, `, ${errorCode}>`];
  const auth = method.security.length === 0 ? "object" : authType(security, layout);
  const notifications = model.events.length === 0 ? "object" : notificationsType(names);
  return handlerDeclaration("JsonRpcHandler", method, names, layout, errors, auth, notifications);
}

/** The notifications of a standard interface; none where it has no events. */
export function standardNotifications(
  model: ServiceModel,
  names: InterfaceNames,
  layout: EmitLayout,
): readonly Printable[] {
  if (model.events.length === 0) return [];
  const members = model.events.map((event) => [
    docComment(event),
    `readonly ${propertyName(event.name)}: `,
    importedType(names.ofEvent(event), `${layout.out}/types.ts`),
    ";",
  ]);
  const comment = docComment({ doc: "What the service may send by itself, by its name on the wire." });
  return [[comment, `export interface ${notificationsType(names)} `, braces(members)]];
}

export function notificationsType(names: InterfaceNames): string {
  return `${names.type}Notifications`;
}

function authType(security: string, layout: EmitLayout): Printable {
  const callers = [importedType("CallersOf", layout.contract), "<C>"];
  return [importedType("AuthOf", layout.contract), "<", security, ", ", callers, ">"];
}
