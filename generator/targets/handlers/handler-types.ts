import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { interfaceNames, type InterfaceNames } from "../../print/interface-names.ts";
import { fieldPointers } from "../../print/field-pointers.ts";
import { braces, type Printable } from "../../print/layout.ts";
import { propertyName, stringLiteral } from "../../print/literals.ts";
import { importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { unionDeclaration } from "../../print/type-expression.ts";
import type { EmitLayout, FileDraft } from "../emitter.ts";
import { handlerDeclaration } from "./handler-declaration.ts";
import {
  notificationsType,
  standardErrorNames,
  standardHandlerType,
  standardNotifications,
  standardSecurity,
} from "./json-rpc.ts";

/** `handlers.ts`: what each handler takes, answers and may fail with. */
export function handlerTypes(model: ServiceModel, layout: EmitLayout): FileDraft {
  const names = interfaceNames(model);
  const isStandard = model.wire.protocol === "json-rpc-2.0";
  const text = printModule({
    path: handlersModule(layout),
    preamble: preamble(model),
    declares: [
      handlersType(names),
      ...(isStandard ? [notificationsType(names)] : []),
      ...model.methods.flatMap((method) => {
        const { handler, errorCode, fieldPointer, security } = names.of(method);
        return [handler, errorCode, fieldPointer, ...(method.security.length === 0 ? [] : [security])];
      }),
    ],
    body: [
      ...(isStandard ? standardNotifications(model, names, layout) : []),
      ...model.methods.flatMap((method) => [
        errorCodeType(method, model, names, layout),
        fieldPointerType(method, model, names),
        ...[standardSecurity(method, names)].filter((printable) => printable !== undefined),
        handlerType(method, model, names, layout),
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

function errorCodeType(
  method: MethodModel,
  model: ServiceModel,
  names: InterfaceNames,
  layout: EmitLayout,
): Printable {
  if (model.wire.protocol === "json-rpc-2.0")
    return standardErrorNames(method, model, model.wire, names, layout);
  const shared = new Set(model.errors.filter((error) => error.everyMethod).map((error) => error.code));
  const own = method.errors.filter((error) => !shared.has(error.code));
  const members: Printable[] = [
    ...(shared.size === 0 ? [] : [importedType("EveryMethodErrorCode", `${layout.out}/errors.ts`)]),
    ...own.map((error) => stringLiteral(error.code)),
  ];
  const doc = `What \`${method.name}\` can fail with.`;
  return unionDeclaration(names.of(method).errorCode, { doc }, members);
}

function fieldPointerType(method: MethodModel, model: ServiceModel, names: InterfaceNames): Printable {
  const doc = `JSON Pointers to the fields of the payload of \`${method.name}\`.`;
  return unionDeclaration(names.of(method).fieldPointer, { doc }, fieldPointers(method.payload, model));
}

function handlerType(
  method: MethodModel,
  model: ServiceModel,
  names: InterfaceNames,
  layout: EmitLayout,
): Printable {
  return method.transport.kind === "json-rpc"
    ? standardHandlerType(method, model, names, layout)
    : handlerDeclaration("Handler", method, names, layout, names.of(method).errorCode);
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
