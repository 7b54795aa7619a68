import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
import { fieldPointers } from "../../print/field-pointers.ts";
import { braces, type Printable } from "../../print/layout.ts";
import { arrayLiteral, propertyName, stringLiteral } from "../../print/literals.ts";
import { importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { ServerPart } from "../../protocols/protocol.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { errorCodeType } from "../errors/errors-module.ts";

/** `handlers.ts`: what each handler takes, answers and may fail with. */
export function handlerTypes(model: ServiceModel, layout: EmitLayout, server: ServerPart): FileDraft {
  const names = interfaceNames(model);
  const source = { model, names, layout };
  const { handlers: part } = server;
  const errors = server.errors(model);
  const before = part.before(source);
  const text = printModule({
    path: handlersModule(layout),
    preamble: preamble(model),
    declares: [
      handlersType(names),
      ...before.declares,
      ...model.methods.flatMap((method) => {
        const { handler, errorCode, fieldPointer, security } = names.of(method);
        return [handler, errorCode, fieldPointer, ...(method.security.length === 0 ? [] : [security])];
      }),
    ],
    body: [
      ...before.body,
      ...model.methods.flatMap((method) => [
        errorCodeType(method, model, layout, errors),
        fieldPointerType(method, model, names),
        ...securityType(method, names),
        part.handler(method, source),
      ]),
      handlersInterface(model, names, layout),
    ],
  });
  return { path: handlersModule(layout), ownership: "owned", text };
}

export function handlersModule(layout: EmitLayout): string {
  return `${layout.out}/handlers.ts`;
}

/** The type that lists a handler for every method: `LedgerHandlers`. */
export function handlersType(names: InterfaceNames): string {
  return `${names.type}Handlers`;
}

function fieldPointerType(method: MethodModel, model: ServiceModel, names: InterfaceNames): Printable {
  const doc = `JSON Pointers to the fields of the payload of \`${method.name}\`.`;
  return unionDeclaration(names.of(method).fieldPointer, { doc }, fieldPointers(method.payload, model));
}

/** Names of the schemes of each alternative; nothing where the method is open. */
function securityType(method: MethodModel, names: InterfaceNames): readonly Printable[] {
  if (method.security.length === 0) return [];
  const members = method.security.map((alternative) => [
    "readonly ",
    arrayLiteral(alternative.map(({ scheme }) => stringLiteral(scheme))),
  ]);
  const doc = `The authentication schemes of \`${method.name}\`: of one alternative all hold.`;
  return [unionDeclaration(names.of(method).security, { doc }, members)];
}

function handlersInterface(model: ServiceModel, names: InterfaceNames, layout: EmitLayout): Printable {
  const members = model.methods.map(
    (method) => `readonly ${propertyName(method.name)}: ${names.of(method).handler}<C>;`,
  );
  const comment = docComment({ ...model, doc: `A handler for every method of the ${model.name} interface.` });
  const contexts = importedType("Contexts", layout.contract);
  // A parameter that nothing uses is an error in some projects, unless its name begins so.
  const parameter = members.length === 0 ? "_C" : "C";
  const opening = [comment, `export interface ${handlersType(names)}<${parameter} extends `, contexts, "> "];
  return [opening, braces(members)];
}
